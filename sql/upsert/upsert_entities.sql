-- Stores what chunks say of entities, for those who bring their own extraction, and the entities where they are new: for each
-- row its place from 1 and the id of the entity. In: [{"name", "type"?, "description"?, "chunk_id"?}]. A row with a chunk_id (of
-- upsert_chunks) is evidence, and goes with its chunk; the same chunk and name again replaces it. A row without one is stated as
-- by create_entity, and stays. Names go through aliases. What changed is stale: refresh_pending, store_refreshed. Error RG001
-- with the first row that cannot be taken; then nothing has happened.
CREATE OR REPLACE FUNCTION pgrag.upsert_entities(workspace text, entities jsonb)
RETURNS TABLE (ordinal int, id bigint)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    in_workspace bigint := pgrag.workspace_id(upsert_entities.workspace);
    entity_ids   bigint[];
BEGIN
    PERFORM pgrag.require_records(in_workspace, 'entities', upsert_entities.entities, '{name}');
    PERFORM pgrag.lock_names(in_workspace);
    PERFORM pgrag.expect_many(jsonb_array_length(upsert_entities.entities));
    entity_ids := pgrag.add_entity_evidence(in_workspace, pgrag.number_chunks(in_workspace, upsert_entities.entities), '[]');
    UPDATE pgrag.entity e
       SET by_hand = true, stated_type = coalesce(s.type, e.stated_type),
           stated_description = coalesce(s.description, e.stated_description)
      FROM (SELECT DISTINCT ON (r.key) r.key, r.type, nullif(btrim(r.description), '') AS description
              FROM pgrag.said_entities(in_workspace, upsert_entities.entities, '[]') r
             WHERE r.chunk_id IS NULL
             ORDER BY r.key, r.ordinal DESC) s
     WHERE e.workspace_id = in_workspace AND e.name_key = s.key;
    PERFORM pgrag.settle(in_workspace, entity_ids, '{}');
    PERFORM pgrag.expect_many(0);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN QUERY
    SELECT r.ordinal::int, e.id
      FROM pgrag.said_entities(in_workspace, upsert_entities.entities, '[]') r
      JOIN pgrag.entity e ON e.workspace_id = in_workspace AND e.name_key = r.key
     ORDER BY r.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.upsert_entities(text, jsonb) IS
    'Stores what chunks say of entities, and the entities where they are new: for each row its place and the entity''s id.';
