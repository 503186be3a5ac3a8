-- Forgets all kept answers and keywords of a workspace: how many. Kept extractions are no cache and stay.
CREATE OR REPLACE FUNCTION pgrag.clear_cache(workspace text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM pgrag.query_cache q WHERE q.workspace_id = pgrag.workspace_id(clear_cache.workspace);
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
COMMENT ON FUNCTION pgrag.clear_cache(text) IS
    'Forgets all kept answers and keywords of a workspace: how many. Kept extractions are no cache and stay.';
