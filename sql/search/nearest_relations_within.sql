-- The top_k relations nearest to an embedding, among those with evidence in a document whose metadata contains `filter`:
-- by cosine distance (0..2), then id. Up to exact_scan_rows() candidates each is looked at; above, the vector index is
-- walked, and what the filter refuses is passed over; where the walk ends before it has found enough, each is looked at
-- all the same. No rows for a NULL argument.
-- (MATERIALIZED keeps the vector index out of the exact search, OFFSET 0 a scan of all embeddings: how many a filter admits
-- cannot be foreseen. STRICT keeps all this out of the caller's plan: a search without a filter does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.nearest_relations_within(
    workspace_id bigint, query_embedding vector, top_k int, filter jsonb)
RETURNS TABLE (relation_id bigint, distance float8)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH walked AS MATERIALIZED (
        SELECT x.relation_id, x.embedding <=> (SELECT nearest_relations_within.query_embedding::halfvec) AS distance
          FROM pgrag.relation_embedding x
         WHERE x.workspace_id = nearest_relations_within.workspace_id
           AND (SELECT EXISTS (
                    SELECT
                      FROM pgrag.document d
                      JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
                      JOIN pgrag.relation_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
                     WHERE d.workspace_id = nearest_relations_within.workspace_id
                       AND d.metadata @> nearest_relations_within.filter
                    OFFSET pgrag.exact_scan_rows()))
           AND pgrag.relation_is_within(nearest_relations_within.workspace_id, x.relation_id, nearest_relations_within.filter)
         ORDER BY distance, x.relation_id
         LIMIT nearest_relations_within.top_k
    ), candidate AS MATERIALIZED (
        SELECT DISTINCT v.relation_id
          FROM pgrag.document d
          JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
          JOIN pgrag.relation_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
         WHERE d.workspace_id = nearest_relations_within.workspace_id AND d.metadata @> nearest_relations_within.filter
           AND (SELECT count(*) FROM walked) < nearest_relations_within.top_k
    ), measured AS MATERIALIZED (
        SELECT c.relation_id, x.embedding <=> (SELECT nearest_relations_within.query_embedding::halfvec) AS distance
          FROM candidate c
         CROSS JOIN LATERAL (
               SELECT e.embedding FROM pgrag.relation_embedding e
                WHERE e.workspace_id = nearest_relations_within.workspace_id AND e.relation_id = c.relation_id
               OFFSET 0) x
    )
    SELECT w.relation_id, w.distance FROM walked w
     WHERE (SELECT count(*) FROM walked) >= nearest_relations_within.top_k
    UNION ALL
    (SELECT m.relation_id, m.distance
       FROM measured m
      ORDER BY m.distance, m.relation_id
      LIMIT nearest_relations_within.top_k);
END;
COMMENT ON FUNCTION pgrag.nearest_relations_within(bigint, vector, int, jsonb) IS
    'The top_k relations nearest to an embedding, among those with evidence in a document whose metadata contains filter.';
