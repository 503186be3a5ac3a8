-- Hits of several sources as one list, by reciprocal rank: as fuse_weighted, but a hit counts its source's weight / (k + rank),
-- rank its place (1..) in its source, the best of a key's. For sources whose scores cannot be compared.
CREATE OR REPLACE FUNCTION pgrag.fuse_rrf(
    sources text[], keys text[], ranks int[], weights jsonb DEFAULT '{"vector": 1, "graph": 1}', k int DEFAULT 60)
RETURNS TABLE (ordinal int, source text, key text, score float8)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT f.ordinal, f.source, f.key, f.score
      FROM pgrag.fuse_weighted(
               fuse_rrf.sources, fuse_rrf.keys,
               ARRAY(SELECT 1::float8 / (fuse_rrf.k + r.rank)
                       FROM unnest(fuse_rrf.ranks) WITH ORDINALITY AS r (rank, place) ORDER BY r.place),
               fuse_rrf.weights) f
     ORDER BY f.ordinal;
END;
COMMENT ON FUNCTION pgrag.fuse_rrf(text[], text[], int[], jsonb, int) IS
    'Hits of several sources as one list, by the weighted sum of their reciprocal ranks.';
