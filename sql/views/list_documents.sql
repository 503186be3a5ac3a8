-- The documents of a workspace, by id. Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.list_documents(workspace text)
RETURNS TABLE (document text, file_path text, status text, error text, metadata jsonb, chunk_count bigint,
               job_state text, created_at timestamptz, ready_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.workspace_id(list_documents.workspace);
    RETURN QUERY
    SELECT s.document, s.file_path, s.status, s.error, s.metadata, s.chunk_count, s.job_state, s.created_at, s.ready_at
      FROM pgrag.document_status s
     WHERE s.workspace = list_documents.workspace
     ORDER BY s.document COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.list_documents(text) IS
    'The documents of a workspace, by id. Error RG002 for an unknown workspace.';
