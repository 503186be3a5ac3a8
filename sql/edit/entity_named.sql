-- The id of the entity that a name means, by its own name or by an alias. Error RG008 when there is none, RG001 for a blank
-- name.
CREATE OR REPLACE FUNCTION pgrag.entity_named(workspace_id bigint, name text)
RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_id bigint;
BEGIN
    PERFORM pgrag.require_name(entity_named.name);
    SELECT e.id INTO found_id FROM pgrag.entity e
     WHERE e.workspace_id = entity_named.workspace_id
       AND e.name_key = pgrag.resolve_key(entity_named.workspace_id, entity_named.name);
    IF found_id IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG008',
            MESSAGE = format('no entity %L in workspace %L', entity_named.name,
                             (SELECT w.name FROM pgrag.workspace w WHERE w.id = entity_named.workspace_id)),
            HINT = 'match_entities (pgrag entity list --like) finds names that are alike.';
    END IF;
    RETURN found_id;
END $$;
COMMENT ON FUNCTION pgrag.entity_named(bigint, text) IS
    'The id of the entity that a name means, by its own name or by an alias. Error RG008 when there is none.';
