-- Workspaces with how much they hold.
DROP VIEW IF EXISTS pgrag.workspace_stats;
CREATE VIEW pgrag.workspace_stats WITH (security_invoker) AS
SELECT w.name AS workspace, w.corpus_version,
       (SELECT count(*) FROM pgrag.document d WHERE d.workspace_id = w.id) AS documents,
       (SELECT count(*) FROM pgrag.document d WHERE d.workspace_id = w.id AND d.status = 'ready') AS ready_documents,
       (SELECT count(*) FROM pgrag.document d WHERE d.workspace_id = w.id AND d.status = 'failed') AS failed_documents,
       (SELECT count(*) FROM pgrag.chunk c WHERE c.workspace_id = w.id) AS chunks,
       (SELECT count(*) FROM pgrag.entity e WHERE e.workspace_id = w.id) AS entities,
       (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = w.id) AS relations,
       (SELECT count(*) FROM pgrag.entity e WHERE e.workspace_id = w.id AND e.stale)
         + (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = w.id AND r.stale) AS stale_items,
       w.created_at
  FROM pgrag.workspace w;
COMMENT ON VIEW pgrag.workspace_stats IS 'Workspaces with how much they hold.';
