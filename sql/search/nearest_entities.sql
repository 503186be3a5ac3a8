-- The top_k entities nearest to an embedding, by cosine distance (0..2), then id; strictly nearer than max_distance.
-- With a filter, only entities with evidence in a document whose metadata contains it. No rows for a NULL embedding.
-- Without a filter the vector index is walked, unless the workspace holds a small_share() of the table; what a walk could
-- not fill is searched for row by row. A branch that is not asked for is never executed. (The workspace is counted in the
-- order of its key, by the key's index.)
CREATE OR REPLACE FUNCTION pgrag.nearest_entities(
    workspace_id bigint, query_embedding vector, top_k int, max_distance float8, filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, entity_id bigint, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH walked AS MATERIALIZED (
        SELECT x.entity_id, x.embedding <=> (SELECT nearest_entities.query_embedding::halfvec) AS distance
          FROM pgrag.entity_embedding x
         WHERE x.workspace_id = nearest_entities.workspace_id
           AND nearest_entities.filter IS NULL AND nearest_entities.query_embedding IS NOT NULL
           AND (SELECT EXISTS (
                    SELECT FROM pgrag.entity_embedding w WHERE w.workspace_id = nearest_entities.workspace_id
                     ORDER BY w.entity_id OFFSET pgrag.small_share('pgrag.entity_embedding')))
         ORDER BY distance, x.entity_id
         LIMIT nearest_entities.top_k
    )
    SELECT (row_number() OVER (ORDER BY n.distance, n.entity_id))::int, n.entity_id, n.distance
      FROM (
        SELECT w.entity_id, w.distance FROM walked w
         WHERE (SELECT count(*) FROM walked) >= nearest_entities.top_k
        UNION ALL
        SELECT e.entity_id, e.distance
          FROM pgrag.nearest_entities_exactly(
                   nearest_entities.workspace_id, nearest_entities.query_embedding, nearest_entities.top_k) e
         WHERE nearest_entities.filter IS NULL AND (SELECT count(*) FROM walked) < nearest_entities.top_k
        UNION ALL
        SELECT w.entity_id, w.distance
          FROM pgrag.nearest_entities_within(
                   nearest_entities.workspace_id, nearest_entities.query_embedding,
                   nearest_entities.top_k, nearest_entities.filter) w
         WHERE nearest_entities.filter IS NOT NULL
      ) n
     WHERE n.distance < nearest_entities.max_distance
     ORDER BY n.distance, n.entity_id;
END;
COMMENT ON FUNCTION pgrag.nearest_entities(bigint, vector, int, float8, jsonb) IS
    'The top_k entities nearest to an embedding, by cosine distance, then id; strictly nearer than max_distance.';
