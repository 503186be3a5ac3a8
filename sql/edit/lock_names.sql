-- Waits until nobody changes what names mean in the workspace, and holds off who wants to, until the transaction ends; with
-- to_change the other way round: waits for everybody who stores or deletes what was said. Taken before any row is locked, so
-- that what a publisher found a name to mean is still true when it stores its evidence. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.lock_names(workspace_id bigint, to_change boolean DEFAULT false)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key bigint := hashtextextended('pgrag names', lock_names.workspace_id);
BEGIN
    IF lock_names.to_change THEN
        PERFORM pg_advisory_xact_lock(key);
    ELSE
        PERFORM pg_advisory_xact_lock_shared(key);
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.lock_names(bigint, boolean) IS
    'Waits until nobody changes what names mean in the workspace, and holds off who wants to, until the transaction ends.';
