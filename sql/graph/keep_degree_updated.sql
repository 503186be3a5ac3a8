-- Trigger: where relations got other ends, the old ends have as many less and the new ones as many more. Else nothing.
CREATE OR REPLACE FUNCTION pgrag.keep_degree_updated()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.shift_degrees(array_agg(s.workspace_id), array_agg(s.entity_id), array_agg(s.step))
       FROM (SELECT x.workspace_id, x.entity_id, sum(x.step)::int AS step
               FROM (SELECT n.workspace_id, unnest(ARRAY[n.source_id, n.target_id]) AS entity_id, 1 AS step
                       FROM new_rows n
                     UNION ALL
                     SELECT o.workspace_id, unnest(ARRAY[o.source_id, o.target_id]) AS entity_id, -1 AS step
                       FROM old_rows o) x
              GROUP BY x.workspace_id, x.entity_id
             HAVING sum(x.step) <> 0) s;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.keep_degree_updated() IS
    'Trigger: where relations got other ends, the old ends have as many less and the new ones as many more.';
