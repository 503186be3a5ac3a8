-- What retrieve_stages gave last (its columns, as arguments) as rows of retrieve: entities, relations, chunks, each kind in
-- its order. distance is that of the search where an entity or relation was a hit, of a chunk to query_embedding.
CREATE OR REPLACE FUNCTION pgrag.ranked_items(
    workspace_id bigint, query_embedding vector,
    entity_ids bigint[], entity_sources text[], entity_hits bigint[], entity_distances float8[],
    relation_ids bigint[], relation_sources text[], relation_hits bigint[], relation_distances float8[],
    chunk_ids bigint[], chunk_sources text[])
RETURNS TABLE (kind text, ordinal int, id bigint, item jsonb, token_count int, source text, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT f.kind, f.ordinal, f.id, f.item, f.token_count, f.source, f.distance
      FROM (
        SELECT 1 AS step, 'entity' AS kind, i.ordinal, i.id, i.item, i.token_count,
               ranked_items.entity_sources[i.ordinal] AS source,
               ranked_items.entity_distances[array_position(ranked_items.entity_hits, i.id)] AS distance
          FROM pgrag.entity_items(ranked_items.workspace_id, ranked_items.entity_ids) i
        UNION ALL
        SELECT 2, 'relation', i.ordinal, i.id, i.item, i.token_count,
               ranked_items.relation_sources[i.ordinal],
               ranked_items.relation_distances[array_position(ranked_items.relation_hits, i.id)]
          FROM pgrag.relation_items(ranked_items.workspace_id, ranked_items.relation_ids) i
        UNION ALL
        SELECT 3, 'chunk', i.ordinal, i.id, i.item, i.token_count, ranked_items.chunk_sources[i.ordinal], i.distance
          FROM pgrag.chunk_items(ranked_items.workspace_id, ranked_items.chunk_ids, ranked_items.query_embedding) i
      ) f
     ORDER BY f.step, f.ordinal;
END;
COMMENT ON FUNCTION pgrag.ranked_items(
    bigint, vector, bigint[], text[], bigint[], float8[], bigint[], text[], bigint[], float8[], bigint[], text[]) IS
    'What retrieve_stages gave last, as rows of retrieve: entities, relations, chunks, each kind in its order.';
