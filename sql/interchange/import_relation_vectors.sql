-- Stores the embeddings that came with an import for the relations whose text is what their line states, as
-- import_entity_vectors does. Keywords in another order are the same keywords. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_relation_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH fitting AS MATERIALIZED (
        SELECT DISTINCT ON (r.id) r.id, i.embedding, coalesce(i.token_count, r.token_count) AS token_count,
               coalesce(i.stored ->> 'text_hash', md5(pgrag.relation_text(r.keywords, a.name, b.name, r.description)))
                   AS text_hash,
               coalesce((i.stored ->> 'unsummarized')::boolean, false) AS unsummarized,
               i.embedding IS NULL OR coalesce((i.stored ->> 'stale')::boolean, false) AS stale
          FROM pg_temp.pgrag_import_relations i
          JOIN pgrag.relation r ON r.workspace_id = import_relation_vectors.workspace_id AND r.id = i.relation_id
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
         WHERE (i.embedding IS NOT NULL OR i.stored IS NOT NULL)
           AND (a.name, b.name, r.description) = (btrim(i.source), btrim(i.target), i.description)
           AND (r.keywords = i.keywords OR r.keywords = pgrag.unite_keywords(jsonb_build_array(i.keywords)))
           AND (r.stale OR NOT EXISTS (SELECT FROM pgrag.relation_embedding v
                                        WHERE v.workspace_id = r.workspace_id AND v.relation_id = r.id))
         ORDER BY r.id, i.line
    ), stored AS (
        INSERT INTO pgrag.relation_embedding AS v (workspace_id, relation_id, text_hash, embedding)
        SELECT import_relation_vectors.workspace_id, f.id, f.text_hash, f.embedding
          FROM fitting f
         WHERE f.embedding IS NOT NULL
         ORDER BY f.id
        ON CONFLICT ON CONSTRAINT relation_embedding_pkey
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    )
    UPDATE pgrag.relation r SET stale = f.stale, unsummarized = f.unsummarized, token_count = f.token_count
      FROM fitting f
     WHERE r.workspace_id = import_relation_vectors.workspace_id AND r.id = f.id
       AND (r.stale, r.unsummarized, r.token_count) <> (f.stale, f.unsummarized, f.token_count);
    UPDATE pgrag.relation r
       SET stale = true, token_count = octet_length(pgrag.relation_line(a.name, b.name, r.description)) + 1
      FROM pg_temp.pgrag_import_relations i, pgrag.entity a, pgrag.entity b
     WHERE r.workspace_id = import_relation_vectors.workspace_id AND r.id = i.relation_id AND NOT r.stale
       AND a.workspace_id = r.workspace_id AND a.id = r.source_id
       AND b.workspace_id = r.workspace_id AND b.id = r.target_id
       AND NOT EXISTS (SELECT FROM pgrag.relation_embedding v WHERE v.workspace_id = r.workspace_id AND v.relation_id = r.id);
END $$;
COMMENT ON FUNCTION pgrag.import_relation_vectors(bigint) IS
    'Stores the embeddings that came with an import for the relations whose text is what their line states.';
