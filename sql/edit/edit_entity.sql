-- Gives an entity another type or description (NULL: as it is), which win over everything that documents say until
-- reset_entity: its id. Errors: RG008 for an unknown entity, RG001 when neither is given and for a blank type.
CREATE OR REPLACE FUNCTION pgrag.edit_entity(
    workspace text, name text, type text DEFAULT NULL, description text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(edit_entity.workspace);
    edited       bigint;
BEGIN
    PERFORM pgrag.require(num_nonnulls(edit_entity.type, edit_entity.description) > 0,
                          'nothing to edit: give a type or a description', 'A name is changed by rename_entity.');
    PERFORM pgrag.require(btrim(edit_entity.type) IS DISTINCT FROM '', 'type must not be blank');
    PERFORM pgrag.lock_names(in_workspace);
    edited := pgrag.entity_named(in_workspace, edit_entity.name);
    UPDATE pgrag.entity e
       SET edited_type = coalesce(btrim(edit_entity.type), e.edited_type),
           edited_description = coalesce(btrim(edit_entity.description), e.edited_description)
     WHERE e.workspace_id = in_workspace AND e.id = edited;
    PERFORM pgrag.settle(in_workspace, ARRAY[edited], '{}');
    PERFORM pgrag.bump_version(in_workspace);
    RETURN edited;
END $$;
COMMENT ON FUNCTION pgrag.edit_entity(text, text, text, text) IS
    'Gives an entity another type or description, which win over everything that documents say: its id.';
