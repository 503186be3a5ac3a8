-- Stores the entities of an import, the undescribed ends of its relations included, and their evidence; fills in the ids.
-- What is stated of an entity that is there already is added to what was stated before. Rows are locked in key order.
-- Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_entities(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.entity AS e (workspace_id, name, name_key, type, stated_type, stated_description, by_hand)
    SELECT import_entities.workspace_id, s.name, s.key, 'UNKNOWN', s.type, s.description, s.by_hand
      FROM pgrag.stated_entities(import_entities.workspace_id) s
     ORDER BY s.key COLLATE "C"
    ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO UPDATE
        SET stated_type = coalesce(e.stated_type, excluded.stated_type),
            stated_description = CASE WHEN e.stated_description IS NULL THEN excluded.stated_description
                                      WHEN excluded.stated_description IS NULL THEN e.stated_description
                                      ELSE pgrag.join_fragments(ARRAY[e.stated_description, excluded.stated_description]) END,
            by_hand = e.by_hand OR excluded.by_hand;

    UPDATE pg_temp.pgrag_import_entities i SET entity_id = e.id
      FROM pgrag.entity e WHERE e.workspace_id = import_entities.workspace_id AND e.name_key = i.key;
    UPDATE pg_temp.pgrag_import_relations i SET source_id = a.id, target_id = b.id
      FROM pgrag.entity a, pgrag.entity b
     WHERE a.workspace_id = import_entities.workspace_id AND a.name_key = i.source_key
       AND b.workspace_id = import_entities.workspace_id AND b.name_key = i.target_key;

    WITH said AS (
        SELECT i.entity_id, v.chunk_id, coalesce(btrim(v.name), btrim(i.name)) AS name, v.type, v.description,
               'described' AS kind, v.line, v.place, 0 AS side
          FROM pg_temp.pgrag_import_entities i
          JOIN pg_temp.pgrag_import_entity_evidence v ON v.line = i.line
        UNION ALL
        SELECT x.entity_id, v.chunk_id, btrim(x.name), NULL, coalesce(nullif(v.description, ''), i.description),
               'endpoint', v.line, v.place, x.side
          FROM pg_temp.pgrag_import_relations i
          JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = i.line,
               LATERAL (VALUES (0, i.source_id, i.source), (1, i.target_id, i.target)) x(side, entity_id, name)
         WHERE NOT EXISTS (SELECT FROM pg_temp.pgrag_import_entities o WHERE o.entity_id = x.entity_id)
    ), placed AS (
        SELECT s.*, row_number() OVER (PARTITION BY s.entity_id ORDER BY s.line, s.place, s.side) - 1 AS ordinal FROM said s
    )
    INSERT INTO pgrag.entity_evidence
           (workspace_id, chunk_id, name_key, entity_id, ordinal, name, type, description, kind, stated_order)
    SELECT import_entities.workspace_id, c.id, e.name_key, p.entity_id, min(p.ordinal), (array_agg(p.name ORDER BY p.ordinal))[1],
           (array_agg(p.type ORDER BY p.ordinal) FILTER (WHERE p.type IS NOT NULL))[1],
           CASE WHEN count(*) > 1 AND p.kind = 'described'
                THEN pgrag.join_fragments(array_agg(p.description ORDER BY p.ordinal))
                ELSE (array_agg(p.description ORDER BY p.ordinal))[1] END,
           p.kind, min(p.ordinal)
      FROM placed p
      JOIN pgrag.chunk c ON c.workspace_id = import_entities.workspace_id AND c.chunk_key = p.chunk_id
      JOIN pgrag.entity e ON e.workspace_id = import_entities.workspace_id AND e.id = p.entity_id
     GROUP BY p.entity_id, e.name_key, c.id, p.kind;
END $$;
COMMENT ON FUNCTION pgrag.import_entities(bigint) IS
    'Stores the entities of an import, the undescribed ends of its relations included, and their evidence.';
