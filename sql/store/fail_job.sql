-- Ends a job without a result: the document says why, its published text (if any) stays. Whether the worker held it.
CREATE OR REPLACE FUNCTION pgrag.fail_job(workspace text, job_id bigint, worker text, error text)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(fail_job.workspace);
    failed       bigint;
BEGIN
    UPDATE pgrag.job j SET state = 'failed', lease_until = NULL
     WHERE j.workspace_id = in_workspace AND j.id = fail_job.job_id AND j.worker = fail_job.worker
    RETURNING j.document_id INTO failed;
    UPDATE pgrag.document d
       SET status = CASE WHEN d.content IS NULL THEN 'failed' ELSE d.status END, error = fail_job.error, updated_at = now()
     WHERE d.workspace_id = in_workspace AND d.id = failed;
    RETURN failed IS NOT NULL;
END $$;
COMMENT ON FUNCTION pgrag.fail_job(text, bigint, text, text) IS
    'Ends a job without a result: the document says why, its published text stays. Whether the worker held it.';
