-- The ids of the relations that have one of the entities as an end, ascending.
CREATE OR REPLACE FUNCTION pgrag.relations_of(workspace_id bigint, entity_ids bigint[])
RETURNS bigint[]
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(array_agg(x.id ORDER BY x.id), '{}')
      FROM (SELECT r.id FROM pgrag.relation r
             WHERE r.workspace_id = relations_of.workspace_id AND r.source_id = ANY (relations_of.entity_ids)
            UNION
            SELECT r.id FROM pgrag.relation r
             WHERE r.workspace_id = relations_of.workspace_id AND r.target_id = ANY (relations_of.entity_ids)) x;
END;
COMMENT ON FUNCTION pgrag.relations_of(bigint, bigint[]) IS
    'The ids of the relations that have one of the entities as an end, ascending.';
