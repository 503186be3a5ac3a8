-- The top_k chunks that hold words of `query`, best first; needs no model, and serves any script. score is the share of the
-- words that a chunk holds, rare ones counting more (0..1, 1: all); chunks_with_words says which words count and how ties are
-- broken. document_id is the caller's id of the document. With a filter, only chunks of documents whose metadata contains it.
-- Errors: RG001 for a blank query, or another argument out of its domain, RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.search_chunks_by_text(
    workspace text, query text, top_k int DEFAULT 20, filter jsonb DEFAULT NULL)
RETURNS TABLE (id bigint, document_id text, file_path text, chunk_index int, content text, token_count int, score float8)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
BEGIN
    PERFORM pgrag.require(btrim(query) <> '', 'query must not be blank'),
            pgrag.require_at_least('top_k', top_k, 1),
            pgrag.require_filter(filter);
    RETURN QUERY
    SELECT c.id, d.document_key, d.file_path, c.chunk_index, c.content, c.token_count, w.score
      FROM pgrag.chunks_with_words(asked_id, query, top_k, filter) w
      JOIN pgrag.chunk c ON c.workspace_id = asked_id AND c.id = w.chunk_id
      JOIN pgrag.document d ON d.workspace_id = asked_id AND d.id = c.document_id
     ORDER BY w.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.search_chunks_by_text(text, text, int, jsonb) IS
    'The top_k chunks that hold words of query, best first; needs no model, and serves any script.';
