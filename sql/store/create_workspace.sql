-- The key of the workspace of that name, created when it is not there. Error RG001 for an empty name.
CREATE OR REPLACE FUNCTION pgrag.create_workspace(workspace text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    made bigint;
BEGIN
    PERFORM pgrag.require(btrim(create_workspace.workspace) <> '', 'a workspace needs a name');
    SELECT w.id INTO made FROM pgrag.workspace w WHERE w.name = create_workspace.workspace;
    IF made IS NULL THEN
        INSERT INTO pgrag.workspace AS w (name) VALUES (create_workspace.workspace)
        ON CONFLICT (name) DO UPDATE SET name = excluded.name
        RETURNING w.id INTO made;
    END IF;
    RETURN made;
END $$;
COMMENT ON FUNCTION pgrag.create_workspace(text) IS
    'The key of the workspace of that name, created when it is not there. Error RG001 for an empty name.';
