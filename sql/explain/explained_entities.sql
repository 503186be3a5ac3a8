-- Candidates for the entities of retrieve, of both legs: local (those near the embedding) and global (ends of the global
-- hits). Arguments of that name are columns of retrieve_stages. Rows as in explain_retrieve, in no order.
CREATE OR REPLACE FUNCTION pgrag.explained_entities(
    workspace_id bigint, query_embedding vector, top_k int, max_distance float8, filter jsonb,
    entity_hits bigint[], entity_distances float8[], related_entities bigint[], relation_hits bigint[],
    entity_ids bigint[])
RETURNS TABLE (
    kind text, id bigint, leg text, rank int, distance float8, token_count int, kept boolean, reason text, ordinal int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH hit AS MATERIALIZED (
        SELECT h.id, h.distance, h.place::int AS rank
          FROM unnest(explained_entities.entity_hits, explained_entities.entity_distances)
               WITH ORDINALITY AS h (id, distance, place)
    ), related AS MATERIALIZED (
        SELECT r.id, r.place::int AS rank
          FROM unnest(explained_entities.related_entities) WITH ORDINALITY AS r (id, place)
    ), farther AS MATERIALIZED (
        SELECT n.entity_id AS id, n.distance, n.ordinal AS rank
          FROM pgrag.nearest_entities(
                   explained_entities.workspace_id, explained_entities.query_embedding,
                   pgrag.explained_hits(explained_entities.top_k), 'Infinity', explained_entities.filter) n
         WHERE NOT EXISTS (SELECT FROM hit h WHERE h.id = n.entity_id)
    ), nearer AS MATERIALIZED (
        SELECT n.entity_id AS id, n.distance
          FROM pgrag.nearest_entities(
                   explained_entities.workspace_id, explained_entities.query_embedding,
                   pgrag.explained_hits(explained_entities.top_k), 'Infinity', NULL) n
         WHERE NOT pgrag.entity_is_within(explained_entities.workspace_id, n.entity_id, explained_entities.filter)
    ), candidate AS MATERIALIZED (
        SELECT h.id, 'local' AS leg, h.rank, h.distance, NULL AS reason FROM hit h
        UNION ALL
        SELECT f.id, 'local', f.rank, f.distance,
               CASE WHEN f.distance < explained_entities.max_distance THEN 'limit' ELSE 'threshold' END
          FROM farther f
        UNION ALL
        SELECT n.id, 'local', NULL, n.distance, 'filter' FROM nearer n
        UNION ALL
        SELECT r.id, 'global', r.rank, h.distance, NULL FROM related r LEFT JOIN hit h ON h.id = r.id
        UNION ALL
        SELECT x.entity_id, 'global', NULL, NULL, 'filter'
          FROM pgrag.entities_of_relations(explained_entities.workspace_id, explained_entities.relation_hits, NULL) x
         WHERE explained_entities.filter IS NOT NULL AND NOT EXISTS (SELECT FROM related r WHERE r.id = x.entity_id)
    )
    SELECT 'entity', c.id, c.leg, c.rank, c.distance, x.token_count, f.reason IS NULL, f.reason,
           CASE WHEN f.reason IS NULL THEN k.place::int END
      FROM candidate c
      JOIN pgrag.entity x ON x.workspace_id = explained_entities.workspace_id AND x.id = c.id
      LEFT JOIN pgrag.round_robin_legs(
                    explained_entities.entity_hits, explained_entities.related_entities) m ON m.id = c.id
      LEFT JOIN unnest(explained_entities.entity_ids) WITH ORDINALITY AS k (id, place) ON k.id = c.id
     CROSS JOIN LATERAL (
        SELECT coalesce(c.reason, CASE WHEN c.leg <> m.source THEN 'duplicate' WHEN k.id IS NULL THEN 'budget' END) AS reason
     ) f;
END;
COMMENT ON FUNCTION pgrag.explained_entities(
    bigint, vector, int, float8, jsonb, bigint[], float8[], bigint[], bigint[], bigint[]) IS
    'Candidates for the entities of retrieve, of both legs, as rows of explain_retrieve.';
