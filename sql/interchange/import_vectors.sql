-- Stores the embeddings that came with an import; where they are most of what there is, the vector indexes are built anew
-- afterwards. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    chunks    bigint := (SELECT count(i.embedding) FROM pg_temp.pgrag_import_chunks i);
    entities  bigint := (SELECT count(i.embedding) FROM pg_temp.pgrag_import_entities i);
    relations bigint := (SELECT count(i.embedding) FROM pg_temp.pgrag_import_relations i);
    suspended text[];
BEGIN
    suspended := ARRAY(SELECT pgrag.suspend_vector_indexes('chunk', chunks));
    PERFORM pgrag.import_chunk_vectors(import_vectors.workspace_id);
    PERFORM pgrag.build_vector_indexes(suspended);

    suspended := ARRAY(SELECT pgrag.suspend_vector_indexes('entity', entities));
    PERFORM pgrag.import_entity_vectors(import_vectors.workspace_id);
    PERFORM pgrag.build_vector_indexes(suspended);

    suspended := ARRAY(SELECT pgrag.suspend_vector_indexes('relation', relations));
    PERFORM pgrag.import_relation_vectors(import_vectors.workspace_id);
    PERFORM pgrag.build_vector_indexes(suspended);
END $$;
COMMENT ON FUNCTION pgrag.import_vectors(bigint) IS
    'Stores the embeddings that came with an import.';
