-- The key of the workspace of that name. Error RG002 when there is none.
CREATE OR REPLACE FUNCTION pgrag.workspace_id(workspace text)
RETURNS bigint
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT w.id INTO found_id FROM pgrag.workspace w WHERE w.name = workspace_id.workspace;
    IF found_id IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG002',
            MESSAGE = format('unknown workspace %L', workspace_id.workspace),
            HINT = 'pgrag workspace list shows those there are; ingest and import create the one they name.';
    END IF;
    RETURN found_id;
END $$;
COMMENT ON FUNCTION pgrag.workspace_id(text) IS
    'The key of the workspace of that name. Error RG002 when there is none.';
