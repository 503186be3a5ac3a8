-- Nothing, when the arguments of retrieve are in their domains; else error RG001, or RG003 for an embedding of other
-- dimensions. The workspace is not looked at.
CREATE OR REPLACE FUNCTION pgrag.require_retrieve(
    mode text, query_embedding vector, low_level_embedding vector, high_level_embedding vector, top_k int, chunk_top_k int,
    max_entity_tokens int, max_relation_tokens int, max_distance float8, related_chunk_number int,
    chunk_pick_method text, max_chunks int, filter jsonb)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.require(mode IN ('local', 'global', 'hybrid', 'mix', 'naive'),
        format('unknown mode %L', mode), 'one of local, global, hybrid, mix, naive');
    PERFORM pgrag.require(chunk_pick_method IN ('vector', 'weight'),
        format('unknown chunk_pick_method %L', chunk_pick_method), 'one of vector, weight');
    PERFORM pgrag.require_search(query_embedding, top_k, max_distance, filter),
            pgrag.require_dimensions(low_level_embedding),
            pgrag.require_dimensions(high_level_embedding),
            pgrag.require_at_least('chunk_top_k', coalesce(chunk_top_k, top_k), 1),
            pgrag.require_at_least('max_entity_tokens', max_entity_tokens, 0),
            pgrag.require_at_least('max_relation_tokens', max_relation_tokens, 0),
            pgrag.require_at_least('related_chunk_number', related_chunk_number, 0),
            pgrag.require_at_least('max_chunks', coalesce(max_chunks, 0), 0);
    PERFORM pgrag.require(
        query_embedding IS NOT NULL
        OR mode = 'local' AND low_level_embedding IS NOT NULL
        OR mode = 'global' AND high_level_embedding IS NOT NULL
        OR mode = 'hybrid' AND (low_level_embedding IS NOT NULL OR high_level_embedding IS NOT NULL),
        format('mode %s needs query_embedding', mode),
        'local, global and hybrid do without it when the embedding of their own keywords is given.');
END $$;
COMMENT ON FUNCTION pgrag.require_retrieve(
    text, vector, vector, vector, int, int, int, int, float8, int, text, int, jsonb) IS
    'Nothing, when the arguments of retrieve are in their domains; else error RG001 or RG003.';
