-- Makes an entity by hand: its id. It needs no evidence, and stays when what documents say of it goes; what they say joins the
-- description. Errors: RG001 for a blank name and for one that an entity has, by alias too.
CREATE OR REPLACE FUNCTION pgrag.create_entity(
    workspace text, name text, type text DEFAULT NULL, description text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(create_entity.workspace);
    key          text;
    made         bigint;
BEGIN
    PERFORM pgrag.require_name(create_entity.name);
    PERFORM pgrag.lock_names(in_workspace);
    key := pgrag.resolve_key(in_workspace, create_entity.name);
    INSERT INTO pgrag.entity AS e (workspace_id, name, name_key, type, by_hand, edited_name, stated_type, stated_description)
    VALUES (in_workspace, btrim(create_entity.name), key, 'UNKNOWN', true,
            CASE WHEN pgrag.name_key(create_entity.name) = key THEN btrim(create_entity.name) END,
            nullif(btrim(create_entity.type), ''), nullif(btrim(create_entity.description), ''))
    ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO NOTHING
    RETURNING e.id INTO made;
    PERFORM pgrag.require(made IS NOT NULL, format('entity %L is there already', create_entity.name),
                          'Edit it: edit_entity.');
    PERFORM pgrag.settle(in_workspace, ARRAY[made], '{}');
    PERFORM pgrag.bump_version(in_workspace);
    RETURN made;
END $$;
COMMENT ON FUNCTION pgrag.create_entity(text, text, text, text) IS
    'Makes an entity by hand, which needs no evidence: its id.';
