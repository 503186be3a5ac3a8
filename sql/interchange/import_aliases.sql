-- Stores the aliases of an import that the workspace does not know yet, with what an export kept in them. The keys must be
-- filled in (resolve_import). Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_aliases(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, canonical, kept)
    SELECT import_aliases.workspace_id, i.alias_key, btrim(i.alias), i.key,
           CASE WHEN i.name_is_key IS NOT TRUE THEN btrim(i.name) END, i.kept
      FROM pg_temp.pgrag_import_aliases i
     ORDER BY i.line
    ON CONFLICT ON CONSTRAINT entity_alias_pkey DO NOTHING;
END $$;
COMMENT ON FUNCTION pgrag.import_aliases(bigint) IS
    'Stores the aliases of an import that the workspace does not know yet.';
