-- Whether the worker still holds the job; its lease then runs on from now. The heartbeat of a worker.
CREATE OR REPLACE FUNCTION pgrag.renew_lease(workspace text, job_id bigint, worker text, lease_seconds float8 DEFAULT 30)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE pgrag.job j SET lease_until = clock_timestamp() + make_interval(secs => renew_lease.lease_seconds)
     WHERE j.workspace_id = pgrag.workspace_id(renew_lease.workspace) AND j.id = renew_lease.job_id
       AND j.state = 'working' AND j.worker = renew_lease.worker;
    RETURN FOUND;
END $$;
COMMENT ON FUNCTION pgrag.renew_lease(text, bigint, text, float8) IS
    'Whether the worker still holds the job; its lease then runs on from now.';
