-- Deletes an entity with everything that was said of it, its relations and its aliases, in one transaction: how many relations
-- went with it. A document that speaks of it and is ingested later makes it anew, from that alone. Error RG008 for an unknown
-- entity.
CREATE OR REPLACE FUNCTION pgrag.delete_entity(workspace text, name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(delete_entity.workspace);
    gone         bigint;
    relation_ids bigint[];
    ends         bigint[];
    keys         text[];
BEGIN
    PERFORM pgrag.lock_names(in_workspace, to_change => true);
    gone := pgrag.entity_named(in_workspace, delete_entity.name);
    PERFORM pgrag.lock_entities(in_workspace, ARRAY[gone]);
    relation_ids := pgrag.relations_of(in_workspace, ARRAY[gone]);
    ends := ARRAY(SELECT unnest(ARRAY[r.source_id, r.target_id]) FROM pgrag.relation r
                   WHERE r.workspace_id = in_workspace AND r.id = ANY (relation_ids));
    keys := pgrag.names_of_entities(in_workspace, ARRAY[gone]);
    PERFORM pgrag.forget_statements(in_workspace, relation_ids);
    DELETE FROM pgrag.relation_evidence v
     WHERE v.workspace_id = in_workspace AND v.relation_id IS NULL
       AND (v.source_key = ANY (keys) OR v.target_key = ANY (keys));
    DELETE FROM pgrag.entity_alias m
     USING pgrag.entity e
     WHERE m.workspace_id = in_workspace AND e.workspace_id = in_workspace AND e.id = gone AND m.canonical_key = e.name_key;
    DELETE FROM pgrag.entity e WHERE e.workspace_id = in_workspace AND e.id = gone;
    -- An end that only a relation made by hand had kept goes with it.
    PERFORM pgrag.settle(in_workspace, ends, '{}');
    PERFORM pgrag.bump_version(in_workspace);
    RETURN cardinality(relation_ids);
END $$;
COMMENT ON FUNCTION pgrag.delete_entity(text, text) IS
    'Deletes an entity with everything that was said of it, its relations and its aliases: how many relations went with it.';
