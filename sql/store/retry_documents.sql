-- Puts failed jobs back into the queue, with all their attempts before them: the ids of their documents. With `documents`
-- (ids, or paths where no id fits) only those; what has not failed is left alone. Error RG006 for a document that is not
-- there.
CREATE OR REPLACE FUNCTION pgrag.retry_documents(workspace text, documents text[] DEFAULT NULL)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(retry_documents.workspace);
    missing      text;
BEGIN
    SELECT asked.document INTO missing
      FROM unnest(retry_documents.documents) AS asked(document)
     WHERE pgrag.documents_named(in_workspace, asked.document) = '{}'
     LIMIT 1;
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG006',
            MESSAGE = format('no document %L in workspace %L', missing, retry_documents.workspace),
            HINT = 'pgrag documents list shows those there are.';
    END IF;
    -- Jobs before documents, as workers lock them.
    RETURN QUERY
    WITH queued AS (
        UPDATE pgrag.job j SET state = 'queued', attempts = 0, worker = NULL, lease_until = NULL
          FROM pgrag.document d
         WHERE j.workspace_id = in_workspace AND j.state = 'failed'
           AND d.workspace_id = j.workspace_id AND d.id = j.document_id
           AND (retry_documents.documents IS NULL
                OR d.document_key IN (SELECT unnest(pgrag.documents_named(in_workspace, asked.document))
                                        FROM unnest(retry_documents.documents) AS asked(document)))
        RETURNING j.document_id
    )
    UPDATE pgrag.document d
       SET status = CASE WHEN d.status = 'failed' THEN 'pending' ELSE d.status END, error = NULL, updated_at = now()
      FROM queued q
     WHERE d.workspace_id = in_workspace AND d.id = q.document_id
    RETURNING d.document_key;
END $$;
COMMENT ON FUNCTION pgrag.retry_documents(text, text[]) IS
    'Puts failed jobs back into the queue, with all their attempts before them: the ids of their documents.';
