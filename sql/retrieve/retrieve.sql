-- What a question brings up in a workspace: entities, relations and chunks, each kind in its final order (ordinal 1..n),
-- cut to its budget. LightRAG 1.5.7's rules; ties by distance, then id, where it leaves them to chance.
-- Modes: local (entities near low_level_embedding, and their relations), global (relations near high_level_embedding, and
-- their ends), hybrid (both), mix (both, and chunks near query_embedding), naive (those chunks alone). Entities and
-- relations bring the chunks that speak of them (not in naive). With neither level's embedding, query_embedding serves
-- every leg of the mode; with one missing, its leg is skipped, but in local and global query_embedding serves it.
-- Columns: kind entity | relation | chunk; item as entity_items, relation_items and chunk_items state it; token_count of
-- what the prompt shows (a line with its newline; a chunk's content); source: the leg, local | global, or what brought the
-- chunk first, vector | entity | relation; distance (cosine, 0..2): of an entity or relation to its search's embedding,
-- NULL for what was not itself a hit, of a chunk to query_embedding, NULL without one.
-- Limits: a hit is strictly nearer than max_distance; the tokens of entities and relations sum to max_*_tokens at most;
-- max_chunks NULL: chunk_top_k chunks, 0: every merged chunk (for a reranker); chunk_top_k NULL: top_k. chunk_pick_method
-- vector picks chunks by distance to query_embedding (by weight when it is NULL), weight by the place of their items.
-- With a filter, everything has evidence in a document whose metadata contains it.
-- Errors: RG001 for an argument out of its domain, RG002 for an unknown workspace, RG003 for other dimensions.
-- The plan is generic and kept: a session plans once, in its first call, which takes some tens of milliseconds longer.
CREATE OR REPLACE FUNCTION pgrag.retrieve(
    workspace text, mode text,
    query_embedding vector DEFAULT NULL, low_level_embedding vector DEFAULT NULL, high_level_embedding vector DEFAULT NULL,
    top_k int DEFAULT 40, chunk_top_k int DEFAULT 20, max_entity_tokens int DEFAULT 6000, max_relation_tokens int DEFAULT 8000,
    max_distance float8 DEFAULT 0.8, related_chunk_number int DEFAULT 5, chunk_pick_method text DEFAULT 'vector',
    max_chunks int DEFAULT NULL, filter jsonb DEFAULT NULL)
RETURNS TABLE (kind text, ordinal int, id bigint, item jsonb, token_count int, source text, distance float8)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET hnsw.iterative_scan = strict_order
SET hnsw.ef_search FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
BEGIN
    PERFORM pgrag.require_retrieve(
        mode, query_embedding, low_level_embedding, high_level_embedding, top_k, chunk_top_k, max_entity_tokens,
        max_relation_tokens, max_distance, related_chunk_number, chunk_pick_method, max_chunks, filter);
    RETURN QUERY
    SELECT r.*
      FROM pgrag.retrieve_ranked(
        asked_id,
        query_embedding,
        pgrag.leg_embedding('local', mode, query_embedding, low_level_embedding, high_level_embedding),
        pgrag.leg_embedding('global', mode, query_embedding, low_level_embedding, high_level_embedding),
        pgrag.leg_embedding('vector', mode, query_embedding, low_level_embedding, high_level_embedding),
        CASE WHEN chunk_pick_method = 'vector' THEN query_embedding END,
        top_k, coalesce(chunk_top_k, top_k), max_entity_tokens, max_relation_tokens,
        max_distance, related_chunk_number, max_chunks, filter) r;
END $$;
COMMENT ON FUNCTION pgrag.retrieve(
    text, text, vector, vector, vector, int, int, int, int, float8, int, text, int, jsonb) IS
    'What a question brings up in a workspace: entities, relations and chunks, each kind in its final order, cut to its budget.';
