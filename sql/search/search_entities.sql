-- The top_k entities nearest to an embedding: nearest first, by cosine distance (0..2), then id; each strictly nearer than
-- max_distance. With a filter, only entities with evidence in a document whose metadata contains it. Errors: RG001 for an
-- argument out of its domain, RG002 for an unknown workspace, RG003 for an embedding of other dimensions.
CREATE OR REPLACE FUNCTION pgrag.search_entities(
    workspace text, query_embedding vector, top_k int DEFAULT 40, max_distance float8 DEFAULT 0.8, filter jsonb DEFAULT NULL)
RETURNS TABLE (id bigint, name text, type text, description text, degree int, token_count int, distance float8)
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
    SELECT e.id, e.name, e.type, e.description, e.degree, e.token_count, n.distance
      FROM pgrag.nearest_entities(asked_id, query_embedding, top_k, max_distance, filter) n
      JOIN pgrag.entity e ON e.workspace_id = asked_id AND e.id = n.entity_id
     ORDER BY n.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.search_entities(text, vector, int, float8, jsonb) IS
    'The top_k entities nearest to an embedding: nearest first, by cosine distance, then id.';
