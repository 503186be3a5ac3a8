-- Puts chunks, with their embeddings, in the place of those that a document has: the new ids by chunk_index. Evidence of
-- the old chunks goes with them. In: [{"chunk_index", "content", "token_count", "metadata"?, "chunk_key"?}], and one
-- embedding for each in the same order, or NULL.
CREATE OR REPLACE FUNCTION pgrag.replace_chunks(
    workspace_id bigint, document_id bigint, chunks jsonb, embeddings vector[] DEFAULT NULL)
RETURNS TABLE (chunk_index int, id bigint)
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    DELETE FROM pgrag.chunk c
     WHERE c.workspace_id = replace_chunks.workspace_id AND c.document_id = replace_chunks.document_id;
    WITH given AS (
        SELECT r.*
          FROM ROWS FROM (jsonb_to_recordset(replace_chunks.chunks)
                   AS (chunk_index int, content text, token_count int, metadata jsonb, chunk_key text))
               WITH ORDINALITY AS r(chunk_index, content, token_count, metadata, chunk_key, ordinal)
    ), stored AS (
        INSERT INTO pgrag.chunk AS c
               (workspace_id, document_id, chunk_key, chunk_index, content, token_count, metadata)
        SELECT replace_chunks.workspace_id, replace_chunks.document_id, g.chunk_key, g.chunk_index, g.content,
               coalesce(g.token_count, octet_length(g.content)), coalesce(g.metadata, '{}')
          FROM given g
        RETURNING c.chunk_index, c.id
    ), embedded AS (
        INSERT INTO pgrag.chunk_embedding (workspace_id, chunk_id, embedding)
        SELECT replace_chunks.workspace_id, s.id, v.embedding::halfvec
          FROM stored s
          JOIN given g ON g.chunk_index = s.chunk_index
          JOIN unnest(replace_chunks.embeddings) WITH ORDINALITY AS v(embedding, ordinal) ON v.ordinal = g.ordinal
         WHERE v.embedding IS NOT NULL
    )
    SELECT s.chunk_index, s.id FROM stored s ORDER BY s.chunk_index;
END;
COMMENT ON FUNCTION pgrag.replace_chunks(bigint, bigint, jsonb, vector[]) IS
    'Puts chunks, with their embeddings, in the place of those that a document has: the new ids by chunk_index.';
