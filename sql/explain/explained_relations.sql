-- Candidates for the relations of retrieve, of both legs: global (those near the embedding) and local (relations at the
-- local hits). Arguments of that name are columns of retrieve_stages. Rows as in explain_retrieve, in no order.
CREATE OR REPLACE FUNCTION pgrag.explained_relations(
    workspace_id bigint, query_embedding vector, top_k int, max_distance float8, filter jsonb,
    relation_hits bigint[], relation_distances float8[], related_relations bigint[], entity_hits bigint[],
    relation_ids bigint[])
RETURNS TABLE (
    kind text, id bigint, leg text, rank int, distance float8, token_count int, kept boolean, reason text, ordinal int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH hit AS MATERIALIZED (
        SELECT h.id, h.distance, h.place::int AS rank
          FROM unnest(explained_relations.relation_hits, explained_relations.relation_distances)
               WITH ORDINALITY AS h (id, distance, place)
    ), related AS MATERIALIZED (
        SELECT r.id, r.place::int AS rank
          FROM unnest(explained_relations.related_relations) WITH ORDINALITY AS r (id, place)
    ), farther AS MATERIALIZED (
        SELECT n.relation_id AS id, n.distance, n.ordinal AS rank
          FROM pgrag.nearest_relations(
                   explained_relations.workspace_id, explained_relations.query_embedding,
                   pgrag.explained_hits(explained_relations.top_k), 'Infinity', explained_relations.filter) n
         WHERE NOT EXISTS (SELECT FROM hit h WHERE h.id = n.relation_id)
    ), nearer AS MATERIALIZED (
        SELECT n.relation_id AS id, n.distance
          FROM pgrag.nearest_relations(
                   explained_relations.workspace_id, explained_relations.query_embedding,
                   pgrag.explained_hits(explained_relations.top_k), 'Infinity', NULL) n
         WHERE NOT pgrag.relation_is_within(explained_relations.workspace_id, n.relation_id, explained_relations.filter)
    ), candidate AS MATERIALIZED (
        SELECT h.id, 'global' AS leg, h.rank, h.distance, NULL AS reason FROM hit h
        UNION ALL
        SELECT f.id, 'global', f.rank, f.distance,
               CASE WHEN f.distance < explained_relations.max_distance THEN 'limit' ELSE 'threshold' END
          FROM farther f
        UNION ALL
        SELECT n.id, 'global', NULL, n.distance, 'filter' FROM nearer n
        UNION ALL
        SELECT r.id, 'local', r.rank, h.distance, NULL FROM related r LEFT JOIN hit h ON h.id = r.id
        UNION ALL
        SELECT x.relation_id, 'local', NULL, NULL, 'filter'
          FROM pgrag.relations_of_entities(explained_relations.workspace_id, explained_relations.entity_hits, NULL) x
         WHERE explained_relations.filter IS NOT NULL AND NOT EXISTS (SELECT FROM related r WHERE r.id = x.relation_id)
    )
    SELECT 'relation', c.id, c.leg, c.rank, c.distance, x.token_count, f.reason IS NULL, f.reason,
           CASE WHEN f.reason IS NULL THEN k.place::int END
      FROM candidate c
      JOIN pgrag.relation x ON x.workspace_id = explained_relations.workspace_id AND x.id = c.id
      LEFT JOIN pgrag.round_robin_legs(
                    explained_relations.related_relations, explained_relations.relation_hits) m ON m.id = c.id
      LEFT JOIN unnest(explained_relations.relation_ids) WITH ORDINALITY AS k (id, place) ON k.id = c.id
     CROSS JOIN LATERAL (
        SELECT coalesce(c.reason, CASE WHEN c.leg <> m.source THEN 'duplicate' WHEN k.id IS NULL THEN 'budget' END) AS reason
     ) f;
END;
COMMENT ON FUNCTION pgrag.explained_relations(
    bigint, vector, int, float8, jsonb, bigint[], float8[], bigint[], bigint[], bigint[]) IS
    'Candidates for the relations of retrieve, of both legs, as rows of explain_retrieve.';
