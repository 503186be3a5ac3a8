-- Every relation at the entities, once: rank (degree of source + degree of target) falling, then weight falling, then the
-- position of the first of its entities in entity_ids, then id. LightRAG 1.5.7 orders so, and leaves the rest to chance.
-- With a filter, only relations with evidence in a document whose metadata contains it.
CREATE OR REPLACE FUNCTION pgrag.relations_of_entities(workspace_id bigint, entity_ids bigint[], filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, relation_id bigint, rank int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH asked AS MATERIALIZED (
        SELECT h.entity_id, h.place, e.degree
          FROM unnest(relations_of_entities.entity_ids) WITH ORDINALITY AS h (entity_id, place)
          JOIN pgrag.entity e ON e.workspace_id = relations_of_entities.workspace_id AND e.id = h.entity_id
    ), incident AS MATERIALIZED (
        SELECT DISTINCT ON (n.relation_id) n.relation_id, a.place, a.degree, n.neighbor_id
          FROM pgrag.neighbors_of(relations_of_entities.workspace_id, relations_of_entities.entity_ids) n
          JOIN asked a ON a.entity_id = n.entity_id
         ORDER BY n.relation_id, a.place
    )
    SELECT (row_number() OVER (ORDER BY i.degree + e.degree DESC, r.weight DESC, i.place, r.id))::int,
           r.id, i.degree + e.degree
      FROM incident i
      JOIN pgrag.relation r ON r.workspace_id = relations_of_entities.workspace_id AND r.id = i.relation_id
      JOIN pgrag.entity e ON e.workspace_id = relations_of_entities.workspace_id AND e.id = i.neighbor_id
     WHERE relations_of_entities.filter IS NULL
        OR pgrag.relation_is_within(relations_of_entities.workspace_id, r.id, relations_of_entities.filter)
     ORDER BY i.degree + e.degree DESC, r.weight DESC, i.place, r.id;
END;
COMMENT ON FUNCTION pgrag.relations_of_entities(bigint, bigint[], jsonb) IS
    'Every relation at the entities, once: by rank, weight, position of the first of its entities, id.';
