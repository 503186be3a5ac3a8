-- What the graph says of names: the relations at most max_depth hops from the entities that the names match, each once, best
-- first, with its triple_score from the match and the hops that make it largest. Ties by relation id. relation_keywords
-- (compared by name_key; NULL or none: all) and filter as in relations_within_reach; 1,000 entities are walked on from.
CREATE OR REPLACE FUNCTION pgrag.triples_of_names(
    workspace_id bigint, names text[], max_depth int, relation_keywords text[] DEFAULT NULL, filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, relation_id bigint, hops int, quality float8, score float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH start AS MATERIALIZED (
        SELECT array_agg(m.entity_id) AS entity_ids, array_agg(m.quality) AS qualities
          FROM pgrag.matched_entities(triples_of_names.workspace_id, triples_of_names.names) m
    ), reached AS MATERIALIZED (
        SELECT DISTINCT ON (w.relation_id) w.relation_id, w.hops, w.quality
          FROM start s
         CROSS JOIN LATERAL pgrag.relations_within_reach(
                   triples_of_names.workspace_id, s.entity_ids, s.qualities, triples_of_names.max_depth, 1000,
                   ARRAY(SELECT pgrag.name_key(k) FROM unnest(triples_of_names.relation_keywords) k WHERE k IS NOT NULL),
                   triples_of_names.filter) w
         ORDER BY w.relation_id, w.quality / w.hops DESC, w.hops
    ), scored AS (
        SELECT h.*, pgrag.triple_score(h.quality, h.hops, r.weight) AS score
          FROM reached h
          JOIN pgrag.relation r ON r.workspace_id = triples_of_names.workspace_id AND r.id = h.relation_id
    )
    SELECT (row_number() OVER (ORDER BY s.score DESC, s.relation_id))::int, s.relation_id, s.hops, s.quality, s.score
      FROM scored s
     ORDER BY s.score DESC, s.relation_id;
END;
COMMENT ON FUNCTION pgrag.triples_of_names(bigint, text[], int, text[], jsonb) IS
    'What the graph says of names: the relations near the entities that the names match, best first, with a score of 0..1.';
