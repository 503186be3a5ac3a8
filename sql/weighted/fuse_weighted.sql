-- Hits of several sources as one list, by weighted scores. In: a hit at each place of sources, keys and scores; hits of one
-- key are one thing. Its score is the sum over its sources of the source's weight times the best score there; its source is
-- that of the first of its hits in the arrays, so give the preferred source first. weights is {source: weight}; what has no
-- weight above 0 is left out. Order: score, then first place. Weights that sum to 1 keep scores of 0..1 in 0..1.
CREATE OR REPLACE FUNCTION pgrag.fuse_weighted(
    sources text[], keys text[], scores float8[], weights jsonb DEFAULT '{"vector": 0.6, "graph": 0.4}')
RETURNS TABLE (ordinal int, source text, key text, score float8)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH found AS (
        SELECT h.source, h.key, max(h.score) AS score, min(h.place) AS place
          FROM unnest(fuse_weighted.sources, fuse_weighted.keys, fuse_weighted.scores)
               WITH ORDINALITY AS h (source, key, score, place)
         GROUP BY h.source, h.key
    ), fused AS (
        SELECT f.key, (array_agg(f.source ORDER BY f.place))[1] AS source, min(f.place) AS place,
               sum((fuse_weighted.weights ->> f.source)::float8 * f.score ORDER BY f.place) AS score
          FROM found f
         WHERE (fuse_weighted.weights ->> f.source)::float8 > 0
         GROUP BY f.key
    )
    SELECT (row_number() OVER (ORDER BY f.score DESC, f.place))::int, f.source, f.key, f.score
      FROM fused f
     ORDER BY f.score DESC, f.place;
END;
COMMENT ON FUNCTION pgrag.fuse_weighted(text[], text[], float8[], jsonb) IS
    'Hits of several sources as one list, by the weighted sum of their scores.';
