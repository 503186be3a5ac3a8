-- Documents with their state, size, the version under way, and why the last attempt failed.
DROP VIEW IF EXISTS pgrag.document_status;
CREATE VIEW pgrag.document_status WITH (security_invoker) AS
SELECT w.name AS workspace, d.document_key AS document, d.file_path, d.status, d.error, d.metadata,
       (SELECT count(*) FROM pgrag.chunk c WHERE c.workspace_id = d.workspace_id AND c.document_id = d.id) AS chunk_count,
       length(d.content) AS characters,
       j.state AS job_state, j.attempts, j.worker, j.lease_until,
       d.created_at, d.updated_at, d.ready_at
  FROM pgrag.document d
  JOIN pgrag.workspace w ON w.id = d.workspace_id
  LEFT JOIN pgrag.job j ON j.workspace_id = d.workspace_id AND j.document_id = d.id;
COMMENT ON VIEW pgrag.document_status IS
    'Documents with their state, size, the version under way, and why the last attempt failed.';
