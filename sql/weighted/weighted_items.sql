-- The rows of weighted_ranked as retrieve_weighted shows them: id, content and item of each, by ordinal.
CREATE OR REPLACE FUNCTION pgrag.weighted_items(
    workspace_id bigint, query_embedding vector, query_text text, entity_names text[], weights jsonb, top_k int, max_depth int,
    relation_keywords text[], fusion text, max_distance float8, filter jsonb)
RETURNS TABLE (ordinal int, source text, id bigint, content text, score float8, item jsonb)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH ranked AS MATERIALIZED (
        SELECT r.*, split_part(r.key, ' ', 2)::bigint AS id
          FROM pgrag.weighted_ranked(
                   weighted_items.workspace_id, weighted_items.query_embedding, weighted_items.query_text,
                   weighted_items.entity_names, weighted_items.weights, weighted_items.top_k, weighted_items.max_depth,
                   weighted_items.relation_keywords, weighted_items.fusion, weighted_items.max_distance,
                   weighted_items.filter) r
    ), listed AS MATERIALIZED (
        SELECT array_agg(r.id) FILTER (WHERE r.source <> 'graph') AS chunk_ids,
               array_agg(r.id) FILTER (WHERE r.source = 'graph') AS relation_ids
          FROM ranked r
    )
    SELECT r.ordinal, r.source, r.id, i.item ->> 'content', r.score,
           i.item - 'content' || jsonb_strip_nulls(jsonb_build_object(
               'token_count', i.token_count, 'distance', i.distance, 'scores', r.scores,
               'triples', CASE WHEN r.relation_ids IS NOT NULL
                               THEN pgrag.triples_of_relations(weighted_items.workspace_id, r.relation_ids) END))
      FROM listed l
     CROSS JOIN LATERAL pgrag.chunk_items(weighted_items.workspace_id, l.chunk_ids, weighted_items.query_embedding) i
      JOIN ranked r ON r.id = i.id AND r.source <> 'graph'
    UNION ALL
    SELECT r.ordinal, r.source, r.id,
           pgrag.triple_text(i.item ->> 'source', ARRAY(SELECT jsonb_array_elements_text(i.item -> 'keywords')),
                             i.item ->> 'target'),
           r.score,
           i.item || jsonb_build_object('token_count', i.token_count, 'hops', r.hops, 'match', r.quality, 'scores', r.scores)
      FROM listed l
     CROSS JOIN LATERAL pgrag.relation_items(weighted_items.workspace_id, l.relation_ids) i
      JOIN ranked r ON r.id = i.id AND r.source = 'graph'
     ORDER BY 1;
END;
COMMENT ON FUNCTION pgrag.weighted_items(
    bigint, vector, text, text[], jsonb, int, int, text[], text, float8, jsonb) IS
    'The rows of weighted_ranked as retrieve_weighted shows them: id, content and item of each, by ordinal.';
