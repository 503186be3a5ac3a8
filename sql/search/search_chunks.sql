-- The top_k chunks nearest to an embedding: nearest first, by cosine distance (0..2), then id; each strictly nearer than
-- max_distance. document_id is the caller's id of the document. With a filter, only chunks of documents whose metadata
-- contains it. Errors: RG001 for an argument out of its domain, RG002 for an unknown workspace, RG003 for an embedding of
-- other dimensions.
CREATE OR REPLACE FUNCTION pgrag.search_chunks(
    workspace text, query_embedding vector, top_k int DEFAULT 20, max_distance float8 DEFAULT 0.8, filter jsonb DEFAULT NULL)
RETURNS TABLE (id bigint, document_id text, file_path text, chunk_index int, content text, token_count int, distance float8)
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
    SELECT c.id, d.document_key, d.file_path, c.chunk_index, c.content, c.token_count, n.distance
      FROM pgrag.nearest_chunks(asked_id, query_embedding, top_k, max_distance, filter) n
      JOIN pgrag.chunk c ON c.workspace_id = asked_id AND c.id = n.chunk_id
      JOIN pgrag.document d ON d.workspace_id = asked_id AND d.id = c.document_id
     ORDER BY n.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.search_chunks(text, vector, int, float8, jsonb) IS
    'The top_k chunks nearest to an embedding: nearest first, by cosine distance, then id.';
