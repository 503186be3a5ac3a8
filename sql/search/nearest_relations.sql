-- The top_k relations nearest to an embedding, by cosine distance (0..2), then id; strictly nearer than max_distance.
-- With a filter, only relations with evidence in a document whose metadata contains it. No rows for a NULL embedding.
-- Without a filter the vector index is walked, unless the workspace holds a small_share() of the table; what a walk could
-- not fill is searched for row by row. A branch that is not asked for is never executed. (The workspace is counted in the
-- order of its key, by the key's index.)
CREATE OR REPLACE FUNCTION pgrag.nearest_relations(
    workspace_id bigint, query_embedding vector, top_k int, max_distance float8, filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, relation_id bigint, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH walked AS MATERIALIZED (
        SELECT x.relation_id, x.embedding <=> (SELECT nearest_relations.query_embedding::halfvec) AS distance
          FROM pgrag.relation_embedding x
         WHERE x.workspace_id = nearest_relations.workspace_id
           AND nearest_relations.filter IS NULL AND nearest_relations.query_embedding IS NOT NULL
           AND (SELECT EXISTS (
                    SELECT FROM pgrag.relation_embedding w WHERE w.workspace_id = nearest_relations.workspace_id
                     ORDER BY w.relation_id OFFSET pgrag.small_share('pgrag.relation_embedding')))
         ORDER BY distance, x.relation_id
         LIMIT nearest_relations.top_k
    )
    SELECT (row_number() OVER (ORDER BY n.distance, n.relation_id))::int, n.relation_id, n.distance
      FROM (
        SELECT w.relation_id, w.distance FROM walked w
         WHERE (SELECT count(*) FROM walked) >= nearest_relations.top_k
        UNION ALL
        SELECT e.relation_id, e.distance
          FROM pgrag.nearest_relations_exactly(
                   nearest_relations.workspace_id, nearest_relations.query_embedding, nearest_relations.top_k) e
         WHERE nearest_relations.filter IS NULL AND (SELECT count(*) FROM walked) < nearest_relations.top_k
        UNION ALL
        SELECT w.relation_id, w.distance
          FROM pgrag.nearest_relations_within(
                   nearest_relations.workspace_id, nearest_relations.query_embedding,
                   nearest_relations.top_k, nearest_relations.filter) w
         WHERE nearest_relations.filter IS NOT NULL
      ) n
     WHERE n.distance < nearest_relations.max_distance
     ORDER BY n.distance, n.relation_id;
END;
COMMENT ON FUNCTION pgrag.nearest_relations(bigint, vector, int, float8, jsonb) IS
    'The top_k relations nearest to an embedding, by cosine distance, then id; strictly nearer than max_distance.';
