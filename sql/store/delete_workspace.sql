-- Deletes a workspace and everything in it: how many documents it had. Error RG002 for an unknown one.
CREATE OR REPLACE FUNCTION pgrag.delete_workspace(workspace text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gone  bigint := pgrag.workspace_id(delete_workspace.workspace);
    count bigint;
BEGIN
    SELECT count(*) INTO count FROM pgrag.document d WHERE d.workspace_id = gone;
    DELETE FROM pgrag.workspace w WHERE w.id = gone;
    RETURN count;
END $$;
COMMENT ON FUNCTION pgrag.delete_workspace(text) IS
    'Deletes a workspace and everything in it: how many documents it had. Error RG002 for an unknown one.';
