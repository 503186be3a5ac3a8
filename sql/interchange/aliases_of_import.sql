-- The aliases that the names of an import are resolved by: its own and those of the workspace, as keys. No promised order.
-- The keys of its own must be filled in (resolve_import).
CREATE OR REPLACE FUNCTION pgrag.aliases_of_import(workspace_id bigint)
RETURNS TABLE (alias_key text, key text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT i.alias_key, i.key FROM pg_temp.pgrag_import_aliases i
    UNION
    SELECT a.alias_key, a.canonical_key FROM pgrag.entity_alias a WHERE a.workspace_id = aliases_of_import.workspace_id;
END $$;
COMMENT ON FUNCTION pgrag.aliases_of_import(bigint) IS
    'The aliases that the names of an import are resolved by: its own and those of the workspace, as keys.';
