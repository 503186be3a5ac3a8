-- The top_k relations nearest to an embedding: nearest first, by cosine distance (0..2), then id; each strictly nearer than
-- max_distance. With a filter, only relations with evidence in a document whose metadata contains it. Errors: RG001 for an
-- argument out of its domain, RG002 for an unknown workspace, RG003 for an embedding of other dimensions.
CREATE OR REPLACE FUNCTION pgrag.search_relations(
    workspace text, query_embedding vector, top_k int DEFAULT 40, max_distance float8 DEFAULT 0.8, filter jsonb DEFAULT NULL)
RETURNS TABLE (id bigint, source_id bigint, target_id bigint, source text, target text, keywords text[], description text,
               weight float8, token_count int, distance float8)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET hnsw.iterative_scan = strict_order
SET hnsw.ef_search FROM CURRENT
SET jit = off
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
BEGIN
    PERFORM pgrag.require_search(query_embedding, top_k, max_distance, filter);
    PERFORM pgrag.require(query_embedding IS NOT NULL, 'query_embedding must not be NULL');
    RETURN QUERY
    SELECT r.id, r.source_id, r.target_id, s.name, t.name, r.keywords, r.description, r.weight, r.token_count, n.distance
      FROM pgrag.nearest_relations(asked_id, query_embedding, top_k, max_distance, filter) n
      JOIN pgrag.relation r ON r.workspace_id = asked_id AND r.id = n.relation_id
      JOIN pgrag.entity s ON s.workspace_id = asked_id AND s.id = r.source_id
      JOIN pgrag.entity t ON t.workspace_id = asked_id AND t.id = r.target_id
     ORDER BY n.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.search_relations(text, vector, int, float8, jsonb) IS
    'The top_k relations nearest to an embedding: nearest first, by cosine distance, then id.';
