-- The id of the entity that a name means, made when it is not there: without evidence, and without a hand that would keep it.
CREATE OR REPLACE FUNCTION pgrag.make_entity(workspace_id bigint, name text)
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO pgrag.entity AS e (workspace_id, name, name_key, type)
    SELECT make_entity.workspace_id, coalesce(a.canonical, btrim(make_entity.name)), k.key, 'UNKNOWN'
      FROM (SELECT pgrag.resolve_key(make_entity.workspace_id, make_entity.name) AS key) k
      LEFT JOIN pgrag.entity_alias a ON a.workspace_id = make_entity.workspace_id
                                    AND a.alias_key = pgrag.name_key(make_entity.name)
    ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO NOTHING;
    SELECT e.id FROM pgrag.entity e
     WHERE e.workspace_id = make_entity.workspace_id
       AND e.name_key = pgrag.resolve_key(make_entity.workspace_id, make_entity.name);
END;
COMMENT ON FUNCTION pgrag.make_entity(bigint, text) IS
    'The id of the entity that a name means, made when it is not there.';
