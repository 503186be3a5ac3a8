-- Adds step i to the degree of entity i, for all i; an entity that is gone (a cascade) is passed over. Each entity is named
-- once. Rows are locked by name_key, the order in which publishing locks them, so that writers wait and never deadlock.
CREATE OR REPLACE FUNCTION pgrag.shift_degrees(workspace_ids bigint[], entity_ids bigint[], steps int[])
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH locked AS MATERIALIZED (
        SELECT e.workspace_id, e.id, s.step
          FROM unnest(shift_degrees.workspace_ids, shift_degrees.entity_ids, shift_degrees.steps)
               s(workspace_id, entity_id, step)
          JOIN pgrag.entity e ON e.workspace_id = s.workspace_id AND e.id = s.entity_id
         ORDER BY e.workspace_id, e.name_key
           FOR NO KEY UPDATE OF e
    )
    UPDATE pgrag.entity e
       SET degree = greatest(e.degree + l.step, 0)
      FROM locked l
     WHERE e.workspace_id = l.workspace_id AND e.id = l.id;
END $$;
COMMENT ON FUNCTION pgrag.shift_degrees(bigint[], bigint[], int[]) IS
    'Adds step i to the degree of entity i, for all i.';
