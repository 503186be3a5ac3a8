-- Stores the embeddings of the chunks of an import that have one. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_chunk_vectors(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.chunk_embedding (workspace_id, chunk_id, embedding)
    SELECT import_chunk_vectors.workspace_id, i.stored_id, i.embedding
      FROM pg_temp.pgrag_import_chunks i
     WHERE i.embedding IS NOT NULL
     ORDER BY i.line;
END $$;
COMMENT ON FUNCTION pgrag.import_chunk_vectors(bigint) IS
    'Stores the embeddings of the chunks of an import that have one.';
