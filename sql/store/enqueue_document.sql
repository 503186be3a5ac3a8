-- Takes in a version of a document: its key, and what is to be done. `unchanged`: this very text is published (its
-- metadata and path are brought up to date); `queued`: a job waits for a worker; `busy`: a worker has this very text
-- under way, or is just taking or ending a job of the document: ask again. A newer text replaces an older one that still
-- waits or is under way (its worker will find the job gone); the same text keeps its job, and the attempts that it took.
-- A document whose file comes from another place (source_path) is refused, RG001, unless `replace`.
CREATE OR REPLACE FUNCTION pgrag.enqueue_document(
    workspace text, document text, content text, file_path text DEFAULT NULL, source_path text DEFAULT NULL,
    metadata jsonb DEFAULT NULL, options jsonb DEFAULT '{}', replace boolean DEFAULT false)
RETURNS TABLE (document_id bigint, action text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(enqueue_document.workspace);
    hash         text   := encode(sha256(convert_to(enqueue_document.content, 'UTF8')), 'hex');
    known        pgrag.document;
    job          pgrag.job;
BEGIN
    PERFORM pgrag.require(btrim(enqueue_document.document) <> '', 'a document needs an id');
    PERFORM pgrag.require(btrim(enqueue_document.content, E' \t\r\n') <> '',
                          format('document %L is empty', enqueue_document.document));
    INSERT INTO pgrag.document AS d (workspace_id, document_key, file_path, source_path, metadata)
    VALUES (in_workspace, enqueue_document.document, coalesce(enqueue_document.file_path, enqueue_document.document),
            enqueue_document.source_path, coalesce(enqueue_document.metadata, '{}'))
    ON CONFLICT ON CONSTRAINT document_workspace_id_document_key_key DO UPDATE SET document_key = excluded.document_key
    RETURNING d.* INTO known;

    PERFORM pgrag.require(
        enqueue_document.replace OR known.source_path IS NOT DISTINCT FROM enqueue_document.source_path
            OR known.source_path IS NULL OR enqueue_document.source_path IS NULL,
        format('document %L is the file %s in this workspace, not %s',
               known.document_key, known.source_path, enqueue_document.source_path),
        'tell them apart with --root, or replace it with --replace');
    -- Workers lock the job, then the document. Here it is the other way round, so a locked job is never waited for.
    SELECT j.* INTO job FROM pgrag.job j
     WHERE j.workspace_id = in_workspace AND j.document_id = known.id
       FOR UPDATE SKIP LOCKED;
    IF job.id IS NULL AND EXISTS (SELECT FROM pgrag.job j
                                   WHERE j.workspace_id = in_workspace AND j.document_id = known.id) THEN
        RETURN QUERY SELECT known.id, 'busy';
    ELSIF known.status = 'ready' AND known.content_hash = hash THEN
        DELETE FROM pgrag.job j WHERE j.workspace_id = in_workspace AND j.id = job.id;
        PERFORM pgrag.describe_document(in_workspace, known.id, enqueue_document.file_path,
                                        enqueue_document.source_path, enqueue_document.metadata);
        RETURN QUERY SELECT known.id, 'unchanged';
    ELSIF job.content_hash = hash AND job.state = 'working' AND job.lease_until > clock_timestamp() THEN
        RETURN QUERY SELECT known.id, 'busy';
    ELSIF job.content_hash = hash AND job.state <> 'failed' THEN
        UPDATE pgrag.job j
           SET state = 'queued', worker = NULL, lease_until = NULL, options = enqueue_document.options,
               file_path = enqueue_document.file_path, source_path = enqueue_document.source_path,
               metadata = enqueue_document.metadata
         WHERE j.workspace_id = in_workspace AND j.id = job.id;
        RETURN QUERY SELECT known.id, 'queued';
    ELSE
        DELETE FROM pgrag.job j WHERE j.workspace_id = in_workspace AND j.id = job.id;
        INSERT INTO pgrag.job (workspace_id, document_id, content, content_hash, file_path, source_path, metadata, options)
        VALUES (in_workspace, known.id, enqueue_document.content, hash, enqueue_document.file_path,
                enqueue_document.source_path, enqueue_document.metadata, enqueue_document.options);
        UPDATE pgrag.document d SET status = 'pending', error = NULL, updated_at = now()
         WHERE d.workspace_id = in_workspace AND d.id = known.id AND d.status <> 'ready';
        RETURN QUERY SELECT known.id, 'queued';
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.enqueue_document(text, text, text, text, text, jsonb, jsonb, boolean) IS
    'Takes in a version of a document: its key, and what is to be done: unchanged, queued or busy.';
