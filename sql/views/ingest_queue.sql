-- Versions of documents that are still to be published: who works on them, since when, and whether the worker seems dead.
DROP VIEW IF EXISTS pgrag.ingest_queue;
CREATE VIEW pgrag.ingest_queue WITH (security_invoker) AS
SELECT w.name AS workspace, d.document_key AS document, j.state, j.attempts, j.worker, j.lease_until,
       j.state = 'working' AND j.lease_until < clock_timestamp() AS lease_ran_out,
       clock_timestamp() - j.created_at AS age, d.error
  FROM pgrag.job j
  JOIN pgrag.workspace w ON w.id = j.workspace_id
  JOIN pgrag.document d ON d.workspace_id = j.workspace_id AND d.id = j.document_id;
COMMENT ON VIEW pgrag.ingest_queue IS
    'Versions of documents that are still to be published: who works on them, and whether the worker seems dead.';
