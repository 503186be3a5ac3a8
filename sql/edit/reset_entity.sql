-- Takes back what was edited of an entity: its type and description are again what its evidence, an import, or the hand that
-- made it say. The name stays (rename_entity). Its id. Error RG008 for an unknown entity.
CREATE OR REPLACE FUNCTION pgrag.reset_entity(workspace text, name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(reset_entity.workspace);
    edited       bigint;
BEGIN
    PERFORM pgrag.lock_names(in_workspace);
    edited := pgrag.entity_named(in_workspace, reset_entity.name);
    UPDATE pgrag.entity e SET edited_type = NULL, edited_description = NULL
     WHERE e.workspace_id = in_workspace AND e.id = edited;
    PERFORM pgrag.settle(in_workspace, ARRAY[edited], '{}');
    PERFORM pgrag.bump_version(in_workspace);
    RETURN edited;
END $$;
COMMENT ON FUNCTION pgrag.reset_entity(text, text) IS
    'Takes back what was edited of an entity: its type and description are derived again. Its id.';
