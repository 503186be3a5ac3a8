-- Chunks near an embedding that are no hits of the search, explained_hits(chunk_top_k) deep: reason limit (near enough, but
-- too many are nearer), threshold (not nearer than max_distance) or filter. rank is the place in the search, from 1, NULL for
-- what the filter refuses. In no order.
CREATE OR REPLACE FUNCTION pgrag.fallen_chunk_hits(
    workspace_id bigint, query_embedding vector, chunk_top_k int, max_distance float8, filter jsonb, chunk_hits bigint[])
RETURNS TABLE (chunk_id bigint, rank int, reason text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT n.chunk_id, n.ordinal,
           CASE WHEN n.distance < fallen_chunk_hits.max_distance THEN 'limit' ELSE 'threshold' END
      FROM pgrag.nearest_chunks(
               fallen_chunk_hits.workspace_id, fallen_chunk_hits.query_embedding,
               pgrag.explained_hits(fallen_chunk_hits.chunk_top_k), 'Infinity', fallen_chunk_hits.filter) n
     WHERE NOT EXISTS (SELECT FROM unnest(fallen_chunk_hits.chunk_hits) AS h (id) WHERE h.id = n.chunk_id)
    UNION ALL
    SELECT n.chunk_id, NULL, 'filter'
      FROM pgrag.nearest_chunks(
               fallen_chunk_hits.workspace_id, fallen_chunk_hits.query_embedding,
               pgrag.explained_hits(fallen_chunk_hits.chunk_top_k), 'Infinity', NULL) n
     WHERE NOT pgrag.chunk_is_within(fallen_chunk_hits.workspace_id, n.chunk_id, fallen_chunk_hits.filter);
END;
COMMENT ON FUNCTION pgrag.fallen_chunk_hits(bigint, vector, int, float8, jsonb, bigint[]) IS
    'Chunks near an embedding that are no hits of the search, and why: limit, threshold or filter.';
