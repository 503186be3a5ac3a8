-- Where a worker finds something to do: workspaces, the one with the oldest job first, with how many jobs could be taken
-- now, how many others hold (also dead ones, until their lease runs out), and whether vectors are to be made anew. No row
-- where there is nothing. Without a workspace all of them.
CREATE OR REPLACE FUNCTION pgrag.pending_work(workspace text DEFAULT NULL)
RETURNS TABLE (name text, takeable bigint, under_way bigint, stale boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF pending_work.workspace IS NOT NULL THEN
        PERFORM pgrag.workspace_id(pending_work.workspace);
    END IF;
    RETURN QUERY
    SELECT w.name, q.takeable, q.under_way, s.stale
      FROM pgrag.workspace w
     CROSS JOIN LATERAL (
           SELECT count(*) FILTER (WHERE j.state = 'queued' OR j.lease_until < clock_timestamp()) AS takeable,
                  count(*) FILTER (WHERE j.state = 'working' AND j.lease_until >= clock_timestamp()) AS under_way,
                  min(j.created_at) AS oldest
             FROM pgrag.job j
            WHERE j.workspace_id = w.id AND j.state IN ('queued', 'working')) q
     CROSS JOIN LATERAL (
           SELECT EXISTS (SELECT FROM pgrag.entity e WHERE e.workspace_id = w.id AND e.stale)
               OR EXISTS (SELECT FROM pgrag.relation r WHERE r.workspace_id = w.id AND r.stale) AS stale) s
     WHERE (pending_work.workspace IS NULL OR w.name = pending_work.workspace)
       AND (q.takeable > 0 OR q.under_way > 0 OR s.stale)
     ORDER BY q.oldest, w.name COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.pending_work(text) IS
    'Where a worker finds something to do: workspaces with their waiting jobs, and whether vectors are to be made anew.';
