-- The SHA-256 (hex) of the text that is published of each of these documents; no row for what is not ready. Nothing is
-- written: an estimate asks it.
CREATE OR REPLACE FUNCTION pgrag.published_hashes(workspace text, documents text[])
RETURNS TABLE (document text, content_hash text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT d.document_key, d.content_hash
      FROM pgrag.document d
     WHERE d.workspace_id = pgrag.workspace_id(published_hashes.workspace)
       AND d.document_key = ANY (published_hashes.documents) AND d.status = 'ready';
END;
COMMENT ON FUNCTION pgrag.published_hashes(text, text[]) IS
    'The SHA-256 (hex) of the text that is published of each of these documents; no row for what is not ready.';
