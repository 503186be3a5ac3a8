-- Gives all jobs of a worker, and of its lanes ('worker/…'), back to the queue, as if they had never been taken: what an
-- interrupted worker does. Without a workspace in all of them. How many.
CREATE OR REPLACE FUNCTION pgrag.release_jobs(workspace text, worker text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint;
    released     bigint;
BEGIN
    IF release_jobs.workspace IS NOT NULL THEN
        in_workspace := pgrag.workspace_id(release_jobs.workspace);
    END IF;
    WITH given_back AS (
        UPDATE pgrag.job j SET state = 'queued', worker = NULL, lease_until = NULL, attempts = j.attempts - 1
         WHERE j.state = 'working' AND (in_workspace IS NULL OR j.workspace_id = in_workspace)
           AND (j.worker = release_jobs.worker OR starts_with(j.worker, release_jobs.worker || '/'))
        RETURNING j.workspace_id, j.document_id
    ), waiting AS (
        UPDATE pgrag.document d SET status = 'pending', updated_at = now()
          FROM given_back g
         WHERE d.workspace_id = g.workspace_id AND d.id = g.document_id AND d.status = 'extracting'
    )
    SELECT count(*) INTO released FROM given_back;
    RETURN released;
END $$;
COMMENT ON FUNCTION pgrag.release_jobs(text, text) IS
    'Gives all jobs of a worker, and of its lanes, back to the queue, as if they had never been taken. How many.';
