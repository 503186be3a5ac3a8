-- The top_k relations nearest to an embedding, among those with evidence in a document whose metadata contains `filter`:
-- by cosine distance (0..2), then id. Exact: all of them are looked at, so the cost is that of what the filter leaves.
-- No rows for a NULL argument. (STRICT keeps it out of its caller's plan: a search without a filter does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.nearest_relations_within(workspace_id bigint, query_embedding vector, top_k int, filter jsonb)
RETURNS TABLE (relation_id bigint, distance float8)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH candidate AS MATERIALIZED (
        SELECT DISTINCT v.relation_id
          FROM pgrag.document d
          JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
          JOIN pgrag.relation_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
         WHERE d.workspace_id = nearest_relations_within.workspace_id AND d.metadata @> nearest_relations_within.filter
    )
    SELECT x.relation_id, x.embedding <=> (SELECT nearest_relations_within.query_embedding::halfvec) AS distance
      FROM candidate a
      JOIN pgrag.relation_embedding x
        ON x.workspace_id = nearest_relations_within.workspace_id AND x.relation_id = a.relation_id
     ORDER BY distance, x.relation_id
     LIMIT nearest_relations_within.top_k;
END;
COMMENT ON FUNCTION pgrag.nearest_relations_within(bigint, vector, int, jsonb) IS
    'The top_k relations nearest to an embedding, among those with evidence in a document whose metadata contains filter.';
