-- What a question brings up in chunks and in the graph, fused and cut: the stages of retrieve_weighted, one CTE each. A source
-- whose question is NULL finds nothing. weights is {source: weight} for vector, text and graph. Rows: ordinal, source, key
-- (`chunk ID` or `relation ID`), score, and of what each source made the score: {source: score}; for a triple also hops and
-- quality, for a chunk the relation_ids that it states, best first (none: NULL).
-- A triple and a chunk are the same hit when the chunk is evidence of the triple: the chunk stays, and counts the score of the
-- best triple that it states; the triple is no hit of its own then.
CREATE OR REPLACE FUNCTION pgrag.weighted_ranked(
    workspace_id bigint, query_embedding vector, query_text text, entity_names text[], weights jsonb, top_k int, max_depth int,
    relation_keywords text[], fusion text, max_distance float8, filter jsonb)
RETURNS TABLE (ordinal int, source text, key text, score float8, scores jsonb, hops int, quality float8, relation_ids bigint[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH vector_hit AS MATERIALIZED (
        SELECT n.ordinal, n.chunk_id, greatest(1 - n.distance, 0) AS score
          FROM pgrag.nearest_chunks(weighted_ranked.workspace_id, weighted_ranked.query_embedding, weighted_ranked.top_k,
                                    weighted_ranked.max_distance, weighted_ranked.filter) n
    ), text_hit AS MATERIALIZED (
        SELECT n.ordinal, n.chunk_id, n.score
          FROM pgrag.chunks_with_words(weighted_ranked.workspace_id, weighted_ranked.query_text, weighted_ranked.top_k,
                                       weighted_ranked.filter) n
    ), triple AS MATERIALIZED (
        SELECT t.*
          FROM pgrag.triples_of_names(weighted_ranked.workspace_id, weighted_ranked.entity_names, weighted_ranked.max_depth,
                                      weighted_ranked.relation_keywords, weighted_ranked.filter) t
    ), stated AS MATERIALIZED (
        SELECT DISTINCT h.chunk_id, t.relation_id, t.ordinal, t.score
          FROM (SELECT v.chunk_id FROM vector_hit v UNION SELECT x.chunk_id FROM text_hit x) h
          JOIN pgrag.relation_evidence e ON e.workspace_id = weighted_ranked.workspace_id AND e.chunk_id = h.chunk_id
          JOIN triple t ON t.relation_id = e.relation_id
    ), hit AS MATERIALIZED (
        SELECT 1 AS step, 'vector' AS source, 'chunk ' || v.chunk_id AS key, v.ordinal, v.score FROM vector_hit v
        UNION ALL
        SELECT 2, 'text', 'chunk ' || x.chunk_id, x.ordinal, x.score FROM text_hit x
        UNION ALL
        SELECT 3, 'graph', 'chunk ' || s.chunk_id, s.ordinal, s.score FROM stated s
        UNION ALL
        (SELECT 3, 'graph', 'relation ' || t.relation_id, t.ordinal, t.score
           FROM triple t
          WHERE NOT EXISTS (SELECT FROM stated s WHERE s.relation_id = t.relation_id)
          ORDER BY t.ordinal
          LIMIT weighted_ranked.top_k)
    ), listed AS MATERIALIZED (
        SELECT array_agg(h.source ORDER BY h.step, h.ordinal, h.key) AS sources,
               array_agg(h.key ORDER BY h.step, h.ordinal, h.key) AS keys,
               array_agg(h.score ORDER BY h.step, h.ordinal, h.key) AS scores,
               array_agg(h.ordinal ORDER BY h.step, h.ordinal, h.key) AS ranks
          FROM hit h
    ), fused AS MATERIALIZED (
        SELECT f.*
          FROM (SELECT f.*
                  FROM listed l CROSS JOIN LATERAL pgrag.fuse_weighted(l.sources, l.keys, l.scores, weighted_ranked.weights) f
                 WHERE weighted_ranked.fusion = 'weighted'
                UNION ALL
                SELECT f.*
                  FROM listed l CROSS JOIN LATERAL pgrag.fuse_rrf(l.sources, l.keys, l.ranks, weighted_ranked.weights) f
                 WHERE weighted_ranked.fusion = 'rrf') f
         ORDER BY f.ordinal
         LIMIT weighted_ranked.top_k
    )
    SELECT f.ordinal, f.source, f.key, f.score, s.scores, t.hops, t.quality, r.relation_ids
      FROM fused f
      LEFT JOIN triple t ON f.key = 'relation ' || t.relation_id
      LEFT JOIN (SELECT h.key, jsonb_object_agg(h.source, h.score) AS scores
                   FROM (SELECT h.key, h.source, max(h.score) AS score FROM hit h GROUP BY h.key, h.source) h
                  GROUP BY h.key) s ON s.key = f.key
      LEFT JOIN (SELECT s.chunk_id, array_agg(s.relation_id ORDER BY s.ordinal) AS relation_ids
                   FROM stated s GROUP BY s.chunk_id) r ON f.key = 'chunk ' || r.chunk_id
     ORDER BY f.ordinal;
END;
COMMENT ON FUNCTION pgrag.weighted_ranked(
    bigint, vector, text, text[], jsonb, int, int, text[], text, float8, jsonb) IS
    'What a question brings up in chunks and in the graph, fused and cut: the stages of retrieve_weighted, one CTE each.';
