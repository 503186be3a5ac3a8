-- Locks entities and all that they are related to, in key order, and then the relations: whoever else locks several waits,
-- and never deadlocks. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.lock_entities(workspace_id bigint, entity_ids bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    relation_ids bigint[] := pgrag.relations_of(lock_entities.workspace_id, lock_entities.entity_ids);
BEGIN
    PERFORM FROM pgrag.entity e
      WHERE e.workspace_id = lock_entities.workspace_id
        AND (e.id = ANY (lock_entities.entity_ids)
             OR e.id IN (SELECT unnest(ARRAY[r.source_id, r.target_id]) FROM pgrag.relation r
                          WHERE r.workspace_id = lock_entities.workspace_id AND r.id = ANY (relation_ids)))
      ORDER BY e.name_key COLLATE "C" FOR UPDATE;
    PERFORM FROM pgrag.relation r
      WHERE r.workspace_id = lock_entities.workspace_id AND r.id = ANY (relation_ids)
      ORDER BY least(r.source_id, r.target_id), greatest(r.source_id, r.target_id) FOR UPDATE;
END $$;
COMMENT ON FUNCTION pgrag.lock_entities(bigint, bigint[]) IS
    'Locks entities and all that they are related to, in key order, and then the relations.';
