-- Gives all jobs of a worker back to the queue, as if they had never been taken: what an interrupted worker does. How many.
CREATE OR REPLACE FUNCTION pgrag.release_jobs(workspace text, worker text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(release_jobs.workspace);
    released     bigint[];
BEGIN
    WITH given_back AS (
        UPDATE pgrag.job j SET state = 'queued', worker = NULL, lease_until = NULL, attempts = j.attempts - 1
         WHERE j.workspace_id = in_workspace AND j.worker = release_jobs.worker AND j.state = 'working'
        RETURNING j.document_id
    )
    SELECT array_agg(g.document_id) INTO released FROM given_back g;
    UPDATE pgrag.document d SET status = 'pending', updated_at = now()
     WHERE d.workspace_id = in_workspace AND d.id = ANY (released) AND d.status = 'extracting';
    RETURN coalesce(cardinality(released), 0);
END $$;
COMMENT ON FUNCTION pgrag.release_jobs(text, text) IS
    'Gives all jobs of a worker back to the queue, as if they had never been taken. How many.';
