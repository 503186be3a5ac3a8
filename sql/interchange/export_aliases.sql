-- The lines of aliases.jsonl, by key (COLLATE "C"): each alias with the name that it stands for (the key, and name_is_key,
-- where nobody gave one), keys where the names do not lead to them, and what is kept of the entity that was merged or renamed.
-- embedding is always NULL. Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_aliases(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_aliases.workspace);
BEGIN
    RETURN QUERY
    SELECT row_to_json(l)::text, NULL::bytea
      FROM pgrag.entity_alias a
           CROSS JOIN LATERAL (SELECT coalesce(a.canonical, a.canonical_key) AS name) means
           CROSS JOIN LATERAL (
               SELECT a.alias, means.name, nullif(a.canonical IS NULL, false) AS name_is_key,
                      nullif(a.alias_key, pgrag.name_key(a.alias)) AS alias_key,
                      nullif(a.canonical_key, pgrag.name_key(means.name)) AS key, a.kept) l
     WHERE a.workspace_id = home
     ORDER BY a.alias_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_aliases(text) IS
    'The lines of aliases.jsonl, by key: each alias with the name that it stands for.';
