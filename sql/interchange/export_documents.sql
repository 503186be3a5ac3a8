-- The lines of documents.jsonl, by id (COLLATE "C"). A document that was never published is not part of the graph yet, and
-- has none. embedding is always NULL. Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_documents(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_documents.workspace);
BEGIN
    RETURN QUERY
    SELECT row_to_json(l)::text, NULL::bytea
      FROM pgrag.document d
           CROSS JOIN LATERAL (SELECT d.document_key AS id, d.file_path, d.source_path, d.metadata, d.content) l
     WHERE d.workspace_id = home AND d.status = 'ready'
     ORDER BY d.document_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_documents(text) IS
    'The lines of documents.jsonl, by id.';
