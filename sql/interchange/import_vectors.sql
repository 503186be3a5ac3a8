-- Stores the embeddings that came with an import. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.import_chunk_vectors(import_vectors.workspace_id);
    PERFORM pgrag.import_entity_vectors(import_vectors.workspace_id);
    PERFORM pgrag.import_relation_vectors(import_vectors.workspace_id);
END $$;
COMMENT ON FUNCTION pgrag.import_vectors(bigint) IS
    'Stores the embeddings that came with an import.';
