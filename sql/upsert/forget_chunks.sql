-- Forgets what was said of chunks whose text is to change, their embeddings too: one row with the entities and relations that
-- it was about, for settle. In: the rows of upsert_chunks.
CREATE OR REPLACE FUNCTION pgrag.forget_chunks(workspace_id bigint, document_id bigint, chunks jsonb)
RETURNS TABLE (entity_ids bigint[], relation_ids bigint[])
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH changed AS MATERIALIZED (
        SELECT c.id
          FROM pgrag.chunk c
          JOIN jsonb_to_recordset(forget_chunks.chunks) AS g(chunk_index int, content text) ON g.chunk_index = c.chunk_index
         WHERE c.workspace_id = forget_chunks.workspace_id AND c.document_id = forget_chunks.document_id
           AND c.content <> g.content
    ), vectors AS (
        DELETE FROM pgrag.chunk_embedding v USING changed c
         WHERE v.workspace_id = forget_chunks.workspace_id AND v.chunk_id = c.id
    ), entities AS (
        DELETE FROM pgrag.entity_evidence v USING changed c
         WHERE v.workspace_id = forget_chunks.workspace_id AND v.chunk_id = c.id
        RETURNING v.entity_id
    ), relations AS (
        DELETE FROM pgrag.relation_evidence v USING changed c
         WHERE v.workspace_id = forget_chunks.workspace_id AND v.chunk_id = c.id
        RETURNING v.relation_id
    )
    SELECT coalesce((SELECT array_agg(DISTINCT e.entity_id) FROM entities e), '{}'),
           coalesce((SELECT array_agg(DISTINCT r.relation_id) FROM relations r WHERE r.relation_id IS NOT NULL), '{}');
END;
COMMENT ON FUNCTION pgrag.forget_chunks(bigint, bigint, jsonb) IS
    'Forgets what was said of chunks whose text is to change: the entities and relations that it was about, for settle.';
