-- Nothing, when these can be rows of upsert_chunks; else error RG001, with the first offending row, or RG003 for an embedding
-- of other dimensions.
CREATE OR REPLACE FUNCTION pgrag.require_chunks(chunks jsonb, embeddings vector[])
RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bad jsonb;
BEGIN
    PERFORM pgrag.require_list('chunks', require_chunks.chunks);
    SELECT g.chunk INTO bad
      FROM jsonb_array_elements(require_chunks.chunks) WITH ORDINALITY AS g(chunk, ordinal)
     WHERE (jsonb_typeof(g.chunk -> 'content') = 'string' AND g.chunk ->> 'chunk_index' ~ '^\d{1,9}$') IS NOT TRUE
     ORDER BY g.ordinal LIMIT 1;
    PERFORM pgrag.require(bad IS NULL, format('a chunk has a chunk_index (0 or more) and a content, got %s', bad));
    SELECT g.chunk_index INTO bad
      FROM (SELECT c.chunk -> 'chunk_index' AS chunk_index FROM jsonb_array_elements(require_chunks.chunks) AS c(chunk)) g
     GROUP BY g.chunk_index HAVING count(*) > 1 ORDER BY g.chunk_index LIMIT 1;
    PERFORM pgrag.require(bad IS NULL, format('chunk_index %s is given twice', bad));
    PERFORM pgrag.require(
        require_chunks.embeddings IS NULL
            OR cardinality(require_chunks.embeddings) = jsonb_array_length(require_chunks.chunks),
        format('%s chunks, but %s embeddings', jsonb_array_length(require_chunks.chunks),
               cardinality(require_chunks.embeddings)));
    PERFORM pgrag.require_dimensions(v.embedding) FROM unnest(require_chunks.embeddings) AS v(embedding);
END $$;
COMMENT ON FUNCTION pgrag.require_chunks(jsonb, vector[]) IS
    'Nothing, when these can be rows of upsert_chunks; else error RG001, with the first offending row, or RG003.';
