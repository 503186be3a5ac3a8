-- Stores the embeddings that came with an import for the entities and relations whose text is what their line states: they
-- are no longer stale. Where lines were merged, or evidence added to the description, the vector would be one of another
-- text, and the item stays stale. Keywords in another order are the same keywords. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH fitting AS (
        SELECT DISTINCT ON (e.id) e.id, i.embedding, i.token_count, md5(pgrag.entity_text(e.name, e.description)) AS text_hash
          FROM pg_temp.pgrag_import_entities i
          JOIN pgrag.entity e ON e.workspace_id = import_vectors.workspace_id AND e.id = i.entity_id AND e.stale
         WHERE i.embedding IS NOT NULL AND (e.name, e.type, e.description) = (btrim(i.name), i.type, i.description)
         ORDER BY e.id, i.line
    ), stored AS (
        INSERT INTO pgrag.entity_embedding AS v (workspace_id, entity_id, text_hash, embedding)
        SELECT import_vectors.workspace_id, f.id, f.text_hash, f.embedding FROM fitting f ORDER BY f.id
        ON CONFLICT ON CONSTRAINT entity_embedding_pkey
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    )
    UPDATE pgrag.entity e SET stale = false, token_count = coalesce(f.token_count, e.token_count)
      FROM fitting f WHERE e.workspace_id = import_vectors.workspace_id AND e.id = f.id;

    WITH fitting AS (
        SELECT DISTINCT ON (r.id) r.id, i.embedding, i.token_count,
               md5(pgrag.relation_text(r.keywords, a.name, b.name, r.description)) AS text_hash
          FROM pg_temp.pgrag_import_relations i
          JOIN pgrag.relation r ON r.workspace_id = import_vectors.workspace_id AND r.id = i.relation_id AND r.stale
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
         WHERE i.embedding IS NOT NULL AND (a.name, b.name, r.description) = (btrim(i.source), btrim(i.target), i.description)
           AND r.keywords = pgrag.unite_keywords(jsonb_build_array(i.keywords))
         ORDER BY r.id, i.line
    ), stored AS (
        INSERT INTO pgrag.relation_embedding AS v (workspace_id, relation_id, text_hash, embedding)
        SELECT import_vectors.workspace_id, f.id, f.text_hash, f.embedding FROM fitting f ORDER BY f.id
        ON CONFLICT ON CONSTRAINT relation_embedding_pkey
        DO UPDATE SET text_hash = excluded.text_hash, embedding = excluded.embedding
    )
    UPDATE pgrag.relation r SET stale = false, token_count = coalesce(f.token_count, r.token_count)
      FROM fitting f WHERE r.workspace_id = import_vectors.workspace_id AND r.id = f.id;
END $$;
COMMENT ON FUNCTION pgrag.import_vectors(bigint) IS
    'Stores the embeddings that came with an import for the entities and relations whose text is what their line states.';
