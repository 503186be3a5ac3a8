-- Brings path and metadata of a document up to date (NULL: as it is), without touching its text: whether anything changed.
CREATE OR REPLACE FUNCTION pgrag.describe_document(
    workspace_id bigint, document_id bigint, file_path text, source_path text, metadata jsonb)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE pgrag.document d
       SET file_path   = coalesce(describe_document.file_path, d.file_path),
           source_path = coalesce(describe_document.source_path, d.source_path),
           metadata    = coalesce(describe_document.metadata, d.metadata),
           updated_at  = now()
     WHERE d.workspace_id = describe_document.workspace_id AND d.id = describe_document.document_id
       AND (d.file_path, d.source_path, d.metadata) IS DISTINCT FROM
           (coalesce(describe_document.file_path, d.file_path), coalesce(describe_document.source_path, d.source_path),
            coalesce(describe_document.metadata, d.metadata));
    IF FOUND THEN
        PERFORM pgrag.bump_version(describe_document.workspace_id);
    END IF;
    RETURN FOUND;
END $$;
COMMENT ON FUNCTION pgrag.describe_document(bigint, bigint, text, text, jsonb) IS
    'Brings path and metadata of a document up to date, without touching its text: whether anything changed.';
