-- The max_chunks chunks among chunk_ids nearest to an embedding: by cosine distance (0..2), then id. No distance is too
-- far. A chunk that has no vector yet is passed over (LightRAG gives up on all of them). No rows for a NULL embedding.
-- (MATERIALIZED keeps the vector index out: its walk is approximate, and ends before it has met all of few chunks.)
CREATE OR REPLACE FUNCTION pgrag.pick_chunks_by_vector(
    workspace_id bigint, query_embedding vector, chunk_ids bigint[], max_chunks bigint)
RETURNS TABLE (ordinal int, chunk_id bigint, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH measured AS MATERIALIZED (
        SELECT x.chunk_id, x.embedding <=> (SELECT pick_chunks_by_vector.query_embedding::halfvec) AS distance
          FROM (SELECT DISTINCT c.id FROM unnest(pick_chunks_by_vector.chunk_ids) AS c (id)) a
          JOIN pgrag.chunk_embedding x
            ON x.workspace_id = pick_chunks_by_vector.workspace_id AND x.chunk_id = a.id
         WHERE pick_chunks_by_vector.query_embedding IS NOT NULL
    )
    SELECT (row_number() OVER (ORDER BY m.distance, m.chunk_id))::int, m.chunk_id, m.distance
      FROM measured m
     ORDER BY m.distance, m.chunk_id
     LIMIT pick_chunks_by_vector.max_chunks;
END;
COMMENT ON FUNCTION pgrag.pick_chunks_by_vector(bigint, vector, bigint[], bigint) IS
    'The max_chunks chunks among chunk_ids nearest to an embedding: by cosine distance, then id.';
