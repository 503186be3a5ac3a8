-- Those of the entities that the workspace has, without the ones visited already: at most max_nodes ids, each once, of the
-- highest degree first, then by name.
CREATE OR REPLACE FUNCTION pgrag.foremost_entities(workspace_id bigint, entity_ids bigint[], visited bigint[], max_nodes int)
RETURNS bigint[]
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT ARRAY(
        SELECT e.id
          FROM (SELECT unnest(foremost_entities.entity_ids) EXCEPT SELECT unnest(foremost_entities.visited)) asked(id)
          JOIN pgrag.entity e ON e.workspace_id = foremost_entities.workspace_id AND e.id = asked.id
         ORDER BY e.degree DESC, e.name_key
         LIMIT foremost_entities.max_nodes);
END;
COMMENT ON FUNCTION pgrag.foremost_entities(bigint, bigint[], bigint[], int) IS
    'Those of the entities that the workspace has and that are not visited: at most max_nodes, of the highest degree first.';
