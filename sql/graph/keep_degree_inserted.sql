-- Trigger: the ends of the relations just inserted have as many relations more.
CREATE OR REPLACE FUNCTION pgrag.keep_degree_inserted()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.shift_degrees(array_agg(s.workspace_id), array_agg(s.entity_id), array_agg(s.step))
       FROM (SELECT x.workspace_id, x.entity_id, sum(x.step)::int AS step
               FROM (SELECT n.workspace_id, unnest(ARRAY[n.source_id, n.target_id]) AS entity_id, 1 AS step
                       FROM new_rows n) x
              GROUP BY x.workspace_id, x.entity_id) s;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.keep_degree_inserted() IS
    'Trigger: the ends of the relations just inserted have as many relations more.';
