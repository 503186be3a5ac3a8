-- What model replies say of entities, one row for each mention: the described ones, and the ends of relations. `name_key`
-- is the key of the name as said, `key` that of the entity meant. `ordinal` is the place in the reply. Records whose name is empty do not count. In: the rows that upsert_entities and
-- upsert_relations take.
CREATE OR REPLACE FUNCTION pgrag.said_entities(workspace_id bigint, entities jsonb, relations jsonb)
RETURNS TABLE (key text, name_key text, chunk_id bigint, chunk_index int, ordinal bigint, name text, type text, description text,
               kind text, stated_order int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH described AS (
        SELECT r.chunk_id, r.chunk_index, r.ordinal, r.name, nullif(btrim(r.type), '') AS type,
               coalesce(r.description, '') AS description, 'described' AS kind, r.stated_order
          FROM ROWS FROM (jsonb_to_recordset(said_entities.entities)
                   AS (chunk_id bigint, chunk_index int, name text, type text, description text, stated_order int))
               WITH ORDINALITY AS r(chunk_id, chunk_index, name, type, description, stated_order, ordinal)
    ), ends AS (
        SELECT r.chunk_id, r.chunk_index, r.ordinal * 2 + e.side AS ordinal, e.name, NULL AS type,
               coalesce(r.description, '') AS description, 'endpoint' AS kind, r.stated_order
          FROM ROWS FROM (jsonb_to_recordset(said_entities.relations)
                   AS (chunk_id bigint, chunk_index int, source text, target text, description text, stated_order int))
               WITH ORDINALITY AS r(chunk_id, chunk_index, source, target, description, stated_order, ordinal),
               LATERAL (VALUES (0, r.source), (1, r.target)) AS e(side, name)
    )
    SELECT coalesce(a.canonical_key, pgrag.name_key(s.name)), pgrag.name_key(s.name), s.chunk_id, s.chunk_index, s.ordinal, btrim(s.name),
           s.type, s.description, s.kind, s.stated_order
      FROM (SELECT * FROM described UNION ALL SELECT * FROM ends) s
      LEFT JOIN pgrag.entity_alias a
             ON a.workspace_id = said_entities.workspace_id AND a.alias_key = pgrag.name_key(s.name)
     WHERE pgrag.name_key(s.name) <> '';
END;
COMMENT ON FUNCTION pgrag.said_entities(bigint, jsonb, jsonb) IS
    'What model replies say of entities, one row for each mention: the described ones, and the ends of relations.';
