-- Stores the embeddings that came with an import for the entities whose text is what their line states: they are no longer
-- stale, unless an export says that they were. Where lines were merged, or evidence added to the description, the vector
-- would be one of another text, and the entity stays stale. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_entity_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH fitting AS MATERIALIZED (
        SELECT DISTINCT ON (e.id) e.id, i.embedding, coalesce(i.token_count, e.token_count) AS token_count,
               coalesce(i.stored ->> 'text_hash', md5(pgrag.entity_text(e.name, e.description))) AS text_hash,
               coalesce((i.stored ->> 'unsummarized')::boolean, false) AS unsummarized,
               i.embedding IS NULL OR coalesce((i.stored ->> 'stale')::boolean, false) AS stale
          FROM pg_temp.pgrag_import_entities i
          JOIN pgrag.entity e ON e.workspace_id = import_entity_vectors.workspace_id AND e.id = i.entity_id
         WHERE (i.embedding IS NOT NULL OR i.stored IS NOT NULL)
           AND (e.name, e.type, e.description) = (btrim(i.name), i.type, i.description)
           AND (e.stale OR NOT EXISTS (SELECT FROM pgrag.entity_embedding v
                                        WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id))
         ORDER BY e.id, i.line
    ), stored AS (
        INSERT INTO pgrag.entity_embedding AS v (workspace_id, entity_id, text_hash, embedding)
        SELECT import_entity_vectors.workspace_id, f.id, f.text_hash, f.embedding
          FROM fitting f
         WHERE f.embedding IS NOT NULL
         ORDER BY f.id
        ON CONFLICT ON CONSTRAINT entity_embedding_pkey
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    )
    UPDATE pgrag.entity e SET stale = f.stale, unsummarized = f.unsummarized, token_count = f.token_count
      FROM fitting f
     WHERE e.workspace_id = import_entity_vectors.workspace_id AND e.id = f.id
       AND (e.stale, e.unsummarized, e.token_count) <> (f.stale, f.unsummarized, f.token_count);
    UPDATE pgrag.entity e
       SET stale = true, token_count = octet_length(pgrag.entity_line(e.name, e.type, e.description)) + 1
      FROM pg_temp.pgrag_import_entities i
     WHERE e.workspace_id = import_entity_vectors.workspace_id AND e.id = i.entity_id AND NOT e.stale
       AND NOT EXISTS (SELECT FROM pgrag.entity_embedding v WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id);
END $$;
COMMENT ON FUNCTION pgrag.import_entity_vectors(bigint) IS
    'Stores the embeddings that came with an import for the entities whose text is what their line states.';
