-- Stores embeddings and line token counts for those of the given entities and relations whose present text is among the
-- given hashes (md5 of entity_text or relation_text); they are no longer stale,
-- unless a summary is still to be thought of. How many. Matching by text means that a
-- vector made for a text that has changed meanwhile is never taken.
CREATE OR REPLACE FUNCTION pgrag.embed_items(
    workspace_id bigint, entity_ids bigint[], relation_ids bigint[],
    text_hashes text[], embeddings vector[], token_counts int[])
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH made AS (
        SELECT DISTINCT ON (m.text_hash) m.text_hash, m.embedding, m.token_count
          FROM unnest(embed_items.text_hashes, embed_items.embeddings, embed_items.token_counts)
               AS m(text_hash, embedding, token_count)
    ), entities AS (
        SELECT e.id, m.text_hash, m.embedding, m.token_count
          FROM pgrag.entity e
          JOIN made m ON m.text_hash = md5(pgrag.entity_text(e.name, e.description))
         WHERE e.workspace_id = embed_items.workspace_id AND e.id = ANY (embed_items.entity_ids) AND e.stale
    ), relations AS (
        SELECT r.id, m.text_hash, m.embedding, m.token_count
          FROM pgrag.relation r
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
          JOIN made m ON m.text_hash = md5(pgrag.relation_text(r.keywords, a.name, b.name, r.description))
         WHERE r.workspace_id = embed_items.workspace_id AND r.id = ANY (embed_items.relation_ids) AND r.stale
    ), entity_vectors AS (
        INSERT INTO pgrag.entity_embedding (workspace_id, entity_id, text_hash, embedding)
        SELECT embed_items.workspace_id, x.id, x.text_hash, x.embedding::halfvec FROM entities x
        ON CONFLICT (workspace_id, entity_id)
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    ), relation_vectors AS (
        INSERT INTO pgrag.relation_embedding (workspace_id, relation_id, text_hash, embedding)
        SELECT embed_items.workspace_id, x.id, x.text_hash, x.embedding::halfvec FROM relations x
        ON CONFLICT (workspace_id, relation_id)
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    ), fresh_entities AS (
        UPDATE pgrag.entity e SET stale = e.unsummarized, token_count = x.token_count
          FROM entities x WHERE e.workspace_id = embed_items.workspace_id AND e.id = x.id
        RETURNING e.id
    ), fresh_relations AS (
        UPDATE pgrag.relation r SET stale = r.unsummarized, token_count = x.token_count
          FROM relations x WHERE r.workspace_id = embed_items.workspace_id AND r.id = x.id
        RETURNING r.id
    )
    SELECT (SELECT count(*) FROM fresh_entities) + (SELECT count(*) FROM fresh_relations);
END;
COMMENT ON FUNCTION pgrag.embed_items(bigint, bigint[], bigint[], text[], vector[], int[]) IS
    'Stores embeddings and line token counts for those of the given items whose present text is among the given hashes.';
