-- The entities of a workspace, those with most relations first, then by name_key; at most top_k. Errors: RG001 for top_k below
-- 1, RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.list_entities(workspace text, top_k int DEFAULT 100)
RETURNS TABLE (id bigint, name text, type text, description text, degree int)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(list_entities.workspace);
BEGIN
    PERFORM pgrag.require_at_least('top_k', top_k, 1);
    RETURN QUERY
    SELECT e.id, e.name, e.type, e.description, e.degree
      FROM pgrag.entity e
     WHERE e.workspace_id = in_workspace
     ORDER BY e.degree DESC, e.name_key
     LIMIT list_entities.top_k;
END $$;
COMMENT ON FUNCTION pgrag.list_entities(text, int) IS
    'The entities of a workspace, those with most relations first, then by name; at most top_k.';
