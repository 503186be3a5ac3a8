-- The keys of all names by which entities are called: their own, their aliases, and those that chunks said of them.
CREATE OR REPLACE FUNCTION pgrag.names_of_entities(workspace_id bigint, entity_ids bigint[])
RETURNS text[]
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(array_agg(n.key), '{}')
      FROM (SELECT e.name_key AS key FROM pgrag.entity e
             WHERE e.workspace_id = names_of_entities.workspace_id AND e.id = ANY (names_of_entities.entity_ids)
            UNION
            SELECT a.alias_key FROM pgrag.entity e
              JOIN pgrag.entity_alias a ON a.workspace_id = e.workspace_id AND a.canonical_key = e.name_key
             WHERE e.workspace_id = names_of_entities.workspace_id AND e.id = ANY (names_of_entities.entity_ids)
            UNION
            SELECT v.name_key FROM pgrag.entity_evidence v
             WHERE v.workspace_id = names_of_entities.workspace_id AND v.entity_id = ANY (names_of_entities.entity_ids)) n;
END;
COMMENT ON FUNCTION pgrag.names_of_entities(bigint, bigint[]) IS
    'The keys of all names by which entities are called: their own, their aliases, and those that chunks said of them.';
