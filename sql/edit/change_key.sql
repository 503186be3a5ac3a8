-- Gives an entity a name of another key: its aliases follow, and the old name becomes one of them. Where it is called back by
-- the name it had before, that alias goes, and the present name leaves one only if something goes by it. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.change_key(workspace_id bigint, entity pgrag.entity, new_name text)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    new_key text  := pgrag.name_key(change_key.new_name);
    old     jsonb := pgrag.drop_alias(change_key.workspace_id, new_key);
BEGIN
    UPDATE pgrag.entity e
       SET name_key = new_key,
           edited_name = CASE WHEN old ->> 'renamed_from' = change_key.new_name THEN old ->> 'edited_name'
                              ELSE change_key.new_name END
     WHERE e.workspace_id = change_key.workspace_id AND e.id = (change_key.entity).id;
    UPDATE pgrag.entity_alias m SET canonical_key = new_key, canonical = change_key.new_name
     WHERE m.workspace_id = change_key.workspace_id AND m.canonical_key = (change_key.entity).name_key;
    IF NOT old ? 'renamed_from'
       OR pgrag.is_called(change_key.workspace_id, (change_key.entity).id, (change_key.entity).name_key) THEN
        INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, canonical, kept)
        VALUES (change_key.workspace_id, (change_key.entity).name_key, (change_key.entity).name, new_key,
                change_key.new_name, jsonb_build_object('renamed_from', (change_key.entity).name,
                                                        'edited_name', (change_key.entity).edited_name));
    END IF;
    PERFORM pgrag.place_statements(change_key.workspace_id, old -> 'relations');
END $$;
COMMENT ON FUNCTION pgrag.change_key(bigint, pgrag.entity, text) IS
    'Gives an entity a name of another key: its aliases follow, and the old name becomes one of them.';
