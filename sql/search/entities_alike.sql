-- Pairs of entities that may be the same, one of each pair among entity_ids, with the similarity of their names (of trigrams,
-- 0..1) and the distance of their embeddings (cosine, NULL where one has none): names at least min_similarity alike, or
-- embeddings at most max_distance apart. For each entity the 10 best by either are looked at, through the indexes. The ends of
-- a pair are in the order of their keys; no promised order of pairs.
CREATE OR REPLACE FUNCTION pgrag.entities_alike(
    workspace_id bigint, entity_ids bigint[], min_similarity float8, max_distance float8)
RETURNS TABLE (one bigint, other bigint, similarity float8, distance float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH asked AS MATERIALIZED (
        SELECT e.id, e.name_key FROM pgrag.entity e
         WHERE e.workspace_id = entities_alike.workspace_id AND e.id = ANY (entities_alike.entity_ids)
    ), found AS (
        SELECT a.id AS one, n.id AS other
          FROM asked a
         CROSS JOIN LATERAL (
               SELECT e.id FROM pgrag.entity e
                WHERE e.workspace_id = entities_alike.workspace_id AND e.name_key % a.name_key AND e.id <> a.id
                  AND similarity(e.name_key, a.name_key) >= entities_alike.min_similarity
                ORDER BY similarity(e.name_key, a.name_key) DESC, e.name_key COLLATE "C" LIMIT 10) n
        UNION
        SELECT a.id, n.entity_id
          FROM asked a
          JOIN pgrag.entity_embedding x ON x.workspace_id = entities_alike.workspace_id AND x.entity_id = a.id
         CROSS JOIN LATERAL (
               SELECT y.entity_id, y.embedding <=> x.embedding AS distance FROM pgrag.entity_embedding y
                WHERE y.workspace_id = entities_alike.workspace_id
                ORDER BY y.embedding <=> x.embedding LIMIT 11) n
         WHERE n.entity_id <> a.id AND n.distance <= entities_alike.max_distance
    ), pair AS (
        SELECT DISTINCT CASE WHEN a.name_key COLLATE "C" < b.name_key COLLATE "C" THEN a.id ELSE b.id END AS one,
               CASE WHEN a.name_key COLLATE "C" < b.name_key COLLATE "C" THEN b.id ELSE a.id END AS other,
               similarity(a.name_key, b.name_key)::float8 AS similarity
          FROM found f
          JOIN pgrag.entity a ON a.workspace_id = entities_alike.workspace_id AND a.id = f.one
          JOIN pgrag.entity b ON b.workspace_id = entities_alike.workspace_id AND b.id = f.other
    )
    SELECT p.one, p.other, p.similarity, x.embedding <=> y.embedding
      FROM pair p
      LEFT JOIN pgrag.entity_embedding x ON x.workspace_id = entities_alike.workspace_id AND x.entity_id = p.one
      LEFT JOIN pgrag.entity_embedding y ON y.workspace_id = entities_alike.workspace_id AND y.entity_id = p.other;
END;
COMMENT ON FUNCTION pgrag.entities_alike(bigint, bigint[], float8, float8) IS
    'Pairs of entities that may be the same, one of each pair among entity_ids, with the similarity of names and the distance.';
