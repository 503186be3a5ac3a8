-- Nothing, when the arguments that every search has are in their domains; else error RG001 or RG003. top_k is 1 or more,
-- max_distance above 0 and at most 2, filter a JSON object or NULL, the embedding of the database's dimensions or NULL.
CREATE OR REPLACE FUNCTION pgrag.require_search(query_embedding vector, top_k int, max_distance float8, filter jsonb)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.require_at_least('top_k', top_k, 1);
    IF (max_distance > 0 AND max_distance <= 2) IS NOT TRUE THEN
        PERFORM pgrag.require(false,
            format('max_distance must be above 0 and at most 2, got %s', coalesce(max_distance::text, 'NULL')),
            'It is a cosine distance: 0 same direction, 1 unrelated, 2 opposite.');
    END IF;
    PERFORM pgrag.require_filter(filter), pgrag.require_dimensions(query_embedding);
END $$;
COMMENT ON FUNCTION pgrag.require_search(vector, int, float8, jsonb) IS
    'Nothing, when the arguments that every search has are in their domains; else error RG001 or RG003.';
