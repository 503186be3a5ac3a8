-- The ids of the documents that a caller's word means: the one with this id, else all with this file path.
CREATE OR REPLACE FUNCTION pgrag.documents_named(workspace_id bigint, document text)
RETURNS text[]
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(
        (SELECT array_agg(d.document_key) FROM pgrag.document d
          WHERE d.workspace_id = documents_named.workspace_id AND d.document_key = documents_named.document),
        (SELECT array_agg(d.document_key) FROM pgrag.document d
          WHERE d.workspace_id = documents_named.workspace_id AND d.file_path = documents_named.document),
        '{}');
END;
COMMENT ON FUNCTION pgrag.documents_named(bigint, text) IS
    'The ids of the documents that a caller''s word means: the one with this id, else all with this file path.';
