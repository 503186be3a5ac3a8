-- Gives an entity another name, in one transaction: its id. The old name becomes an alias, so that what texts call so still
-- belongs to it; renaming back drops that alias. Errors: RG008 for an unknown entity, RG001 for a blank name, for the name of
-- another entity, and for a name that was merged into this one.
CREATE OR REPLACE FUNCTION pgrag.rename_entity(workspace text, name text, new_name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(rename_entity.workspace);
    new_key      text := pgrag.name_key(rename_entity.new_name);
    given        text := btrim(rename_entity.new_name);
    renamed      bigint;
    old          pgrag.entity;
BEGIN
    PERFORM pgrag.require_name(rename_entity.new_name);
    PERFORM pgrag.lock_names(in_workspace, to_change => true);
    renamed := pgrag.entity_named(in_workspace, rename_entity.name);
    SELECT e.* INTO old FROM pgrag.entity e WHERE e.workspace_id = in_workspace AND e.id = renamed;
    PERFORM pgrag.require_free_name(in_workspace, old.name_key, given);
    PERFORM pgrag.lock_entities(in_workspace, ARRAY[renamed]);
    IF new_key = old.name_key THEN
        UPDATE pgrag.entity e SET edited_name = given WHERE e.workspace_id = in_workspace AND e.id = renamed;
    ELSE
        PERFORM pgrag.change_key(in_workspace, old, given);
    END IF;
    PERFORM pgrag.settle(in_workspace, ARRAY[renamed], '{}');
    PERFORM pgrag.bump_version(in_workspace);
    RETURN renamed;
END $$;
COMMENT ON FUNCTION pgrag.rename_entity(text, text, text) IS
    'Gives an entity another name, in one transaction; the old one becomes an alias. Its id.';
