-- The documents of a workspace, by id; with a status only those. `failed` means every document whose last attempt
-- failed, also one that is ready still in its old version. Errors RG002 for an unknown workspace, RG001 for an unknown
-- status.
CREATE OR REPLACE FUNCTION pgrag.list_documents(workspace text, with_status text DEFAULT NULL)
RETURNS TABLE (document text, file_path text, status text, error text, metadata jsonb, chunk_count bigint,
               job_state text, created_at timestamptz, ready_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.workspace_id(list_documents.workspace);
    PERFORM pgrag.require(list_documents.with_status IS NULL OR list_documents.with_status IN ('pending', 'extracting', 'ready', 'failed'),
                          format('unknown status %L', list_documents.with_status),
                          'it is one of pending, extracting, ready, failed');
    RETURN QUERY
    SELECT s.document, s.file_path, s.status, s.error, s.metadata, s.chunk_count, s.job_state, s.created_at, s.ready_at
      FROM pgrag.document_status s
     WHERE s.workspace = list_documents.workspace
       AND (list_documents.with_status IS NULL OR s.status = list_documents.with_status
            OR (list_documents.with_status = 'failed' AND s.job_state = 'failed'))
     ORDER BY s.document COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.list_documents(text, text) IS
    'The documents of a workspace, by id; with a status only those. Error RG002 for an unknown workspace.';
