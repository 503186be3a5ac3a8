-- The top_k entities nearest to an embedding, among those with evidence in a document whose metadata contains `filter`:
-- by cosine distance (0..2), then id. Exact: all of them are looked at, so the cost is that of what the filter leaves.
-- No rows for a NULL argument. (STRICT keeps it out of its caller's plan: a search without a filter does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.nearest_entities_within(workspace_id bigint, query_embedding vector, top_k int, filter jsonb)
RETURNS TABLE (entity_id bigint, distance float8)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH candidate AS MATERIALIZED (
        SELECT DISTINCT v.entity_id
          FROM pgrag.document d
          JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
          JOIN pgrag.entity_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
         WHERE d.workspace_id = nearest_entities_within.workspace_id AND d.metadata @> nearest_entities_within.filter
    )
    SELECT x.entity_id, x.embedding <=> (SELECT nearest_entities_within.query_embedding::halfvec) AS distance
      FROM candidate a
      JOIN pgrag.entity_embedding x
        ON x.workspace_id = nearest_entities_within.workspace_id AND x.entity_id = a.entity_id
     ORDER BY distance, x.entity_id
     LIMIT nearest_entities_within.top_k;
END;
COMMENT ON FUNCTION pgrag.nearest_entities_within(bigint, vector, int, jsonb) IS
    'The top_k entities nearest to an embedding, among those with evidence in a document whose metadata contains filter.';
