-- Makes the entity that an alias, which is gone, had kept: with what it had beside its evidence, and with its own aliases. Its
-- id; settle drops it again when nothing speaks of it.
CREATE OR REPLACE FUNCTION pgrag.give_back(workspace_id bigint, alias pgrag.entity_alias)
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE pgrag.entity_alias m
       SET canonical_key = (give_back.alias).alias_key,
           canonical = coalesce((give_back.alias).kept ->> 'name', (give_back.alias).alias)
     WHERE m.workspace_id = give_back.workspace_id AND m.canonical_key = (give_back.alias).canonical_key
       AND (give_back.alias).kept -> 'aliases' ? m.alias_key;
    INSERT INTO pgrag.entity AS e (workspace_id, name, name_key, type, by_hand, stated_type, stated_description,
                                   edited_name, edited_type, edited_description)
    SELECT give_back.workspace_id, coalesce(k.name, (give_back.alias).alias), (give_back.alias).alias_key, 'UNKNOWN',
           coalesce(k.by_hand, false), k.stated_type, k.stated_description, k.edited_name, k.edited_type, k.edited_description
      FROM jsonb_to_record((give_back.alias).kept)
           AS k(name text, by_hand boolean, stated_type text, stated_description text, edited_name text, edited_type text,
                edited_description text)
    RETURNING e.id;
END;
COMMENT ON FUNCTION pgrag.give_back(bigint, pgrag.entity_alias) IS
    'Makes the entity that an alias, which is gone, had kept: with what it had beside its evidence. Its id.';
