-- Stores the aliases of an import that the workspace does not know yet. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_aliases(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, kept)
    SELECT import_aliases.workspace_id, pgrag.name_key(i.alias), btrim(i.alias), pgrag.name_key(i.name), i.kept
      FROM pg_temp.pgrag_import_aliases i
     ORDER BY i.line
    ON CONFLICT ON CONSTRAINT entity_alias_pkey DO NOTHING;
END $$;
COMMENT ON FUNCTION pgrag.import_aliases(bigint) IS
    'Stores the aliases of an import that the workspace does not know yet.';
