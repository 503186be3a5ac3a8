-- The next job that a worker may take, or no row: a queued one, or one whose worker let the lease run out. With
-- `documents` only those. Jobs that another worker holds are passed over, never waited for. The job carries everything
-- that is needed to work on it.
CREATE OR REPLACE FUNCTION pgrag.claim_job(
    workspace text, worker text, documents text[] DEFAULT NULL, lease_seconds float8 DEFAULT 30)
RETURNS TABLE (job_id bigint, document text, content text, content_hash text, options jsonb, attempts int)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(claim_job.workspace);
    job          pgrag.job;
BEGIN
    SELECT j.* INTO job
      FROM pgrag.job j
      JOIN pgrag.document d ON d.workspace_id = j.workspace_id AND d.id = j.document_id
     WHERE j.workspace_id = in_workspace
       AND (j.state = 'queued' OR (j.state = 'working' AND j.lease_until < clock_timestamp()))
       AND (claim_job.documents IS NULL OR d.document_key = ANY (claim_job.documents))
     ORDER BY j.id
     LIMIT 1
       FOR UPDATE OF j SKIP LOCKED;
    IF job.id IS NULL THEN
        RETURN;
    END IF;
    UPDATE pgrag.job j
       SET state = 'working', worker = claim_job.worker, attempts = j.attempts + 1,
           lease_until = clock_timestamp() + make_interval(secs => claim_job.lease_seconds)
     WHERE j.workspace_id = in_workspace AND j.id = job.id;
    UPDATE pgrag.document d SET status = 'extracting', updated_at = now()
     WHERE d.workspace_id = in_workspace AND d.id = job.document_id AND d.status <> 'ready';
    RETURN QUERY SELECT job.id, d.document_key, job.content, job.content_hash, job.options, job.attempts + 1
      FROM pgrag.document d WHERE d.workspace_id = in_workspace AND d.id = job.document_id;
END $$;
COMMENT ON FUNCTION pgrag.claim_job(text, text, text[], float8) IS
    'The next job that a worker may take, or no row; passes over what others hold.';
