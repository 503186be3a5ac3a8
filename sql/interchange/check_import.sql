-- Nothing, when finish_import would take what lies in the tables of begin_import; else the error that it would raise:
-- RG001 with the first offending line. Writes nothing that stays. Lets a caller pay for embeddings only when they will be
-- used. The workspace need not be there yet.
CREATE OR REPLACE FUNCTION pgrag.check_import(workspace text, strict boolean DEFAULT false)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint;
BEGIN
    SELECT w.id INTO in_workspace FROM pgrag.workspace w WHERE w.name = check_import.workspace;
    PERFORM pgrag.resolve_import(in_workspace);
    PERFORM pgrag.require_importable(in_workspace, check_import.strict);
END $$;
COMMENT ON FUNCTION pgrag.check_import(text, boolean) IS
    'Nothing, when finish_import would take what lies in the tables of begin_import; else the error that it would raise.';
