-- The top_k chunks nearest to an embedding, among those of documents whose metadata contains `filter`:
-- by cosine distance (0..2), then id. Exact: all of them are looked at, so the cost is that of what the filter leaves.
-- No rows for a NULL argument. (STRICT keeps it out of its caller's plan: a search without a filter does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.nearest_chunks_within(workspace_id bigint, query_embedding vector, top_k int, filter jsonb)
RETURNS TABLE (chunk_id bigint, distance float8)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH candidate AS MATERIALIZED (
        SELECT c.id AS chunk_id
          FROM pgrag.document d
          JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
         WHERE d.workspace_id = nearest_chunks_within.workspace_id AND d.metadata @> nearest_chunks_within.filter
    )
    SELECT x.chunk_id, x.embedding <=> (SELECT nearest_chunks_within.query_embedding::halfvec) AS distance
      FROM candidate a
      JOIN pgrag.chunk_embedding x
        ON x.workspace_id = nearest_chunks_within.workspace_id AND x.chunk_id = a.chunk_id
     ORDER BY distance, x.chunk_id
     LIMIT nearest_chunks_within.top_k;
END;
COMMENT ON FUNCTION pgrag.nearest_chunks_within(bigint, vector, int, jsonb) IS
    'The top_k chunks nearest to an embedding, among those of documents whose metadata contains filter.';
