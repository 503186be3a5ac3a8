-- The top_k chunks nearest to an embedding, by cosine distance (0..2), then id; strictly nearer than max_distance.
-- With a filter, only chunks of documents whose metadata contains it. No rows for a NULL embedding.
-- Without a filter the vector index is walked, unless the workspace holds a small_share() of the table; what a walk could
-- not fill is searched for row by row. A branch that is not asked for is never executed. (The workspace is counted in the
-- order of its key, by the key's index.)
CREATE OR REPLACE FUNCTION pgrag.nearest_chunks(
    workspace_id bigint, query_embedding vector, top_k int, max_distance float8, filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, chunk_id bigint, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH walked AS MATERIALIZED (
        SELECT x.chunk_id, x.embedding <=> (SELECT nearest_chunks.query_embedding::halfvec) AS distance
          FROM pgrag.chunk_embedding x
         WHERE x.workspace_id = nearest_chunks.workspace_id
           AND nearest_chunks.filter IS NULL AND nearest_chunks.query_embedding IS NOT NULL
           AND (SELECT EXISTS (
                    SELECT FROM pgrag.chunk_embedding w WHERE w.workspace_id = nearest_chunks.workspace_id
                     ORDER BY w.chunk_id OFFSET pgrag.small_share('pgrag.chunk_embedding')))
         ORDER BY distance, x.chunk_id
         LIMIT nearest_chunks.top_k
    )
    SELECT (row_number() OVER (ORDER BY n.distance, n.chunk_id))::int, n.chunk_id, n.distance
      FROM (
        SELECT w.chunk_id, w.distance FROM walked w
         WHERE (SELECT count(*) FROM walked) >= nearest_chunks.top_k
        UNION ALL
        SELECT e.chunk_id, e.distance
          FROM pgrag.nearest_chunks_exactly(
                   nearest_chunks.workspace_id, nearest_chunks.query_embedding, nearest_chunks.top_k) e
         WHERE nearest_chunks.filter IS NULL AND (SELECT count(*) FROM walked) < nearest_chunks.top_k
        UNION ALL
        SELECT w.chunk_id, w.distance
          FROM pgrag.nearest_chunks_within(
                   nearest_chunks.workspace_id, nearest_chunks.query_embedding,
                   nearest_chunks.top_k, nearest_chunks.filter) w
         WHERE nearest_chunks.filter IS NOT NULL
      ) n
     WHERE n.distance < nearest_chunks.max_distance
     ORDER BY n.distance, n.chunk_id;
END;
COMMENT ON FUNCTION pgrag.nearest_chunks(bigint, vector, int, float8, jsonb) IS
    'The top_k chunks nearest to an embedding, by cosine distance, then id; strictly nearer than max_distance.';
