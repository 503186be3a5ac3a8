-- The lines of aliases.jsonl, by key (COLLATE "C"): each alias with the name of what it means (its key, where no entity of
-- that name is there), and what is kept of the entity that was merged away. embedding is always NULL. Error RG002 for an
-- unknown workspace.
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
      LEFT JOIN pgrag.entity e ON e.workspace_id = a.workspace_id AND e.name_key = a.canonical_key
                              AND pgrag.name_key(e.name) = a.canonical_key
           CROSS JOIN LATERAL (SELECT a.alias, coalesce(e.name, a.canonical_key) AS name, a.kept) l
     WHERE a.workspace_id = home
     ORDER BY a.alias_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_aliases(text) IS
    'The lines of aliases.jsonl, by key: each alias with the name of what it means.';
