-- Makes the name of an entity, and its aliases, names of another one. The new alias keeps what the entity had beside its
-- evidence, that of its relations included; the rows themselves have none of it any more. Evidence is the caller's next step
-- (resolve_evidence, settle). Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.absorb_entity(workspace_id bigint, entity_id bigint, into_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    old_key   text;
    survivor  pgrag.entity;
    followers jsonb;
BEGIN
    SELECT e.name_key INTO old_key FROM pgrag.entity e
     WHERE e.workspace_id = absorb_entity.workspace_id AND e.id = absorb_entity.entity_id;
    SELECT e.* INTO survivor FROM pgrag.entity e
     WHERE e.workspace_id = absorb_entity.workspace_id AND e.id = absorb_entity.into_id;
    WITH followed AS (
        UPDATE pgrag.entity_alias m SET canonical_key = survivor.name_key, canonical = survivor.name
         WHERE m.workspace_id = absorb_entity.workspace_id AND m.canonical_key = old_key
        RETURNING m.alias_key
    )
    SELECT jsonb_agg(f.alias_key ORDER BY f.alias_key COLLATE "C") INTO followers FROM followed f;
    INSERT INTO pgrag.entity_alias (workspace_id, alias_key, alias, canonical_key, canonical, kept)
    SELECT e.workspace_id, e.name_key, e.name, survivor.name_key, survivor.name, jsonb_strip_nulls(jsonb_build_object(
               'name', e.name, 'by_hand', nullif(e.by_hand, false), 'aliases', followers,
               'stated_type', e.stated_type, 'stated_description', e.stated_description, 'edited_name', e.edited_name,
               'edited_type', e.edited_type, 'edited_description', e.edited_description,
               'relations', pgrag.take_statements(e.workspace_id, e.id)))
      FROM pgrag.entity e
     WHERE e.workspace_id = absorb_entity.workspace_id AND e.id = absorb_entity.entity_id;
    UPDATE pgrag.entity e
       SET by_hand = false, stated_type = NULL, stated_description = NULL, edited_name = NULL, edited_type = NULL,
           edited_description = NULL
     WHERE e.workspace_id = absorb_entity.workspace_id AND e.id = absorb_entity.entity_id;
END $$;
COMMENT ON FUNCTION pgrag.absorb_entity(bigint, bigint, bigint) IS
    'Makes the name of an entity, and its aliases, names of another one.';
