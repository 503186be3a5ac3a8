-- Kept answers, keywords and extractions of each workspace: how many, how many still good, and their size.
DROP VIEW IF EXISTS pgrag.cache_stats;
CREATE VIEW pgrag.cache_stats WITH (security_invoker) AS
SELECT w.name AS workspace, q.kind, count(*) AS entries,
       count(*) FILTER (WHERE q.expires_at > now() AND (q.corpus_version IS NULL OR q.corpus_version = w.corpus_version)) AS good,
       sum(pg_column_size(q.value)) AS bytes, min(q.created_at) AS oldest, max(q.created_at) AS newest
  FROM pgrag.query_cache q JOIN pgrag.workspace w ON w.id = q.workspace_id
 GROUP BY w.name, q.kind
UNION ALL
SELECT w.name, 'extraction', count(*), count(*), sum(pg_column_size(x.reply)), min(x.created_at), max(x.created_at)
  FROM pgrag.extraction x JOIN pgrag.workspace w ON w.id = x.workspace_id
 GROUP BY w.name;
COMMENT ON VIEW pgrag.cache_stats IS
    'Kept answers, keywords and extractions of each workspace: how many, how many still good, and their size.';
