-- The workspaces with how much they hold, by name.
CREATE OR REPLACE FUNCTION pgrag.list_workspaces()
RETURNS TABLE (workspace text, corpus_version bigint, documents bigint, ready_documents bigint, failed_documents bigint,
               chunks bigint, entities bigint, relations bigint, stale_items bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT s.workspace, s.corpus_version, s.documents, s.ready_documents, s.failed_documents, s.chunks, s.entities,
           s.relations, s.stale_items
      FROM pgrag.workspace_stats s
     ORDER BY s.workspace COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.list_workspaces() IS
    'The workspaces with how much they hold, by name.';
