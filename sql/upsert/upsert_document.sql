-- Stores a document of those who bring their own extraction: its key in the database. What is NULL stays as it is; of a new
-- document the path is its id, the metadata empty, the text unknown. Its chunks come by upsert_chunks. An ingest of the same
-- text finds it unchanged. Errors: RG001 for a blank id, RG002 for an unknown workspace, RG004 while a worker has it under way.
CREATE OR REPLACE FUNCTION pgrag.upsert_document(
    workspace text, document text, content text DEFAULT NULL, file_path text DEFAULT NULL, metadata jsonb DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(upsert_document.workspace);
    stored       bigint;
BEGIN
    PERFORM pgrag.require(btrim(upsert_document.document) <> '', 'a document needs an id');
    PERFORM pgrag.require(coalesce(jsonb_typeof(upsert_document.metadata), 'object') = 'object',
                          format('metadata must be a JSON object, got %s', upsert_document.metadata));
    INSERT INTO pgrag.document AS d
           (workspace_id, document_key, file_path, content, content_hash, metadata, status, ready_at)
    VALUES (in_workspace, upsert_document.document, coalesce(upsert_document.file_path, upsert_document.document),
            upsert_document.content, encode(sha256(convert_to(upsert_document.content, 'UTF8')), 'hex'),
            coalesce(upsert_document.metadata, '{}'), 'ready', now())
    ON CONFLICT ON CONSTRAINT document_workspace_id_document_key_key DO UPDATE
        SET file_path = coalesce(upsert_document.file_path, d.file_path),
            content = coalesce(excluded.content, d.content),
            content_hash = coalesce(excluded.content_hash, d.content_hash),
            metadata = coalesce(upsert_document.metadata, d.metadata),
            status = 'ready', error = NULL, updated_at = now(), ready_at = now()
    RETURNING d.id INTO stored;
    IF EXISTS (SELECT FROM pgrag.job j WHERE j.workspace_id = in_workspace AND j.document_id = stored) THEN
        RAISE EXCEPTION USING ERRCODE = 'RG004',
            MESSAGE = format('document %L is being ingested', upsert_document.document),
            HINT = 'Wait until it is ready, or delete it.';
    END IF;
    PERFORM pgrag.bump_version(in_workspace);
    RETURN stored;
END $$;
COMMENT ON FUNCTION pgrag.upsert_document(text, text, text, text, jsonb) IS
    'Stores a document of those who bring their own extraction: its key in the database.';
