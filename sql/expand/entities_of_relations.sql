-- The ends of the relations in the order of relation_ids, each entity once, where first seen. Of two ends, the one whose name
-- is less by bytes comes first, whichever way round the relation was said: LightRAG 1.5.7 stores pairs so.
-- With a filter, only entities with evidence in a document whose metadata contains it.
CREATE OR REPLACE FUNCTION pgrag.entities_of_relations(workspace_id bigint, relation_ids bigint[], filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, entity_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT (row_number() OVER (ORDER BY f.place))::int, f.entity_id
      FROM (
        SELECT x.entity_id, min(2 * h.place + x.side) AS place
          FROM unnest(entities_of_relations.relation_ids) WITH ORDINALITY AS h (relation_id, place)
          JOIN pgrag.relation r ON r.workspace_id = entities_of_relations.workspace_id AND r.id = h.relation_id
          JOIN pgrag.entity s ON s.workspace_id = entities_of_relations.workspace_id AND s.id = r.source_id
          JOIN pgrag.entity t ON t.workspace_id = entities_of_relations.workspace_id AND t.id = r.target_id
         CROSS JOIN LATERAL (VALUES (s.id, (s.name COLLATE "C" > t.name)::int),
                                    (t.id, (s.name COLLATE "C" <= t.name)::int)) AS x (entity_id, side)
         GROUP BY x.entity_id
      ) f
     WHERE entities_of_relations.filter IS NULL
        OR pgrag.entity_is_within(entities_of_relations.workspace_id, f.entity_id, entities_of_relations.filter)
     ORDER BY f.place;
END;
COMMENT ON FUNCTION pgrag.entities_of_relations(bigint, bigint[], jsonb) IS
    'The ends of the relations in their order, the lesser name before the greater, each entity once, where first seen.';
