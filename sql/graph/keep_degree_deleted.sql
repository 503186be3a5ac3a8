-- Trigger: the ends of the relations just deleted have as many relations less. Ends that are gone too are passed over.
CREATE OR REPLACE FUNCTION pgrag.keep_degree_deleted()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.shift_degrees(array_agg(s.workspace_id), array_agg(s.entity_id), array_agg(s.step))
       FROM (SELECT x.workspace_id, x.entity_id, sum(x.step)::int AS step
               FROM (SELECT o.workspace_id, unnest(ARRAY[o.source_id, o.target_id]) AS entity_id, -1 AS step
                       FROM old_rows o) x
              GROUP BY x.workspace_id, x.entity_id) s;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.keep_degree_deleted() IS
    'Trigger: the ends of the relations just deleted have as many relations less.';
