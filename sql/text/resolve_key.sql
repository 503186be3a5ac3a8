-- The key of the entity that a name means: its own name_key, or what the alias table says of it.
CREATE OR REPLACE FUNCTION pgrag.resolve_key(workspace_id bigint, name text)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(
        (SELECT a.canonical_key
           FROM pgrag.entity_alias a
          WHERE a.workspace_id = resolve_key.workspace_id
            AND a.alias_key = pgrag.name_key(resolve_key.name)),
        pgrag.name_key(resolve_key.name));
END;
COMMENT ON FUNCTION pgrag.resolve_key(bigint, text) IS
    'The key of the entity that a name means: its own name_key, or what the alias table says of it.';
