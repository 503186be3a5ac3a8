-- What a question brings up, ranked, merged and cut to budget: the stages of retrieve, one CTE each. An embedding is NULL
-- for a leg that is not walked: local (entities, then their relations), global (relations, then their entities), vector
-- (chunks). pick_embedding NULL picks chunks by weight; query_embedding serves the distances shown. Rows as in retrieve.
-- Lists travel from stage to stage as arrays of ids, NULL when empty.
CREATE OR REPLACE FUNCTION pgrag.retrieve_ranked(
    workspace_id bigint, query_embedding vector, local_embedding vector, global_embedding vector, vector_embedding vector,
    pick_embedding vector, top_k int, chunk_top_k int, max_entity_tokens int, max_relation_tokens int,
    max_distance float8, related_chunk_number int, max_chunks int, filter jsonb)
RETURNS TABLE (kind text, ordinal int, id bigint, item jsonb, token_count int, source text, distance float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH entity_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_entities(
            retrieve_ranked.workspace_id, retrieve_ranked.local_embedding,
            retrieve_ranked.top_k, retrieve_ranked.max_distance, retrieve_ranked.filter) n
    ), relation_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_relations(
            retrieve_ranked.workspace_id, retrieve_ranked.global_embedding,
            retrieve_ranked.top_k, retrieve_ranked.max_distance, retrieve_ranked.filter) n
    ), chunk_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_chunks(
            retrieve_ranked.workspace_id, retrieve_ranked.vector_embedding,
            retrieve_ranked.chunk_top_k, retrieve_ranked.max_distance, retrieve_ranked.filter) n
    ), hit AS MATERIALIZED (
        SELECT (SELECT array_agg(e.entity_id ORDER BY e.ordinal) FROM entity_hit e) AS entity_ids,
               (SELECT array_agg(r.relation_id ORDER BY r.ordinal) FROM relation_hit r) AS relation_ids,
               (SELECT array_agg(c.chunk_id ORDER BY c.ordinal) FROM chunk_hit c) AS chunk_ids
    ), expanded AS MATERIALIZED (
        SELECT (SELECT array_agg(r.relation_id ORDER BY r.ordinal)
                  FROM pgrag.relations_of_entities(
                      retrieve_ranked.workspace_id, hit.entity_ids, retrieve_ranked.filter) r) AS relation_ids,
               (SELECT array_agg(e.entity_id ORDER BY e.ordinal)
                  FROM pgrag.entities_of_relations(
                      retrieve_ranked.workspace_id, hit.relation_ids, retrieve_ranked.filter) e) AS entity_ids
          FROM hit
    ), merged_entity AS MATERIALIZED (
        SELECT m.* FROM hit CROSS JOIN expanded
         CROSS JOIN LATERAL pgrag.round_robin_legs(hit.entity_ids, expanded.entity_ids) m
    ), merged_relation AS MATERIALIZED (
        SELECT m.* FROM hit CROSS JOIN expanded
         CROSS JOIN LATERAL pgrag.round_robin_legs(expanded.relation_ids, hit.relation_ids) m
    ), merged AS MATERIALIZED (
        SELECT (SELECT array_agg(e.id ORDER BY e.ordinal) FROM merged_entity e) AS entity_ids,
               (SELECT array_agg(r.id ORDER BY r.ordinal) FROM merged_relation r) AS relation_ids
    ), kept AS MATERIALIZED (
        SELECT (SELECT array_agg(e.entity_id ORDER BY e.ordinal)
                  FROM pgrag.entities_within_budget(
                      retrieve_ranked.workspace_id, merged.entity_ids, retrieve_ranked.max_entity_tokens) e) AS entity_ids,
               (SELECT array_agg(r.relation_id ORDER BY r.ordinal)
                  FROM pgrag.relations_within_budget(
                      retrieve_ranked.workspace_id, merged.relation_ids, retrieve_ranked.max_relation_tokens) r) AS relation_ids
          FROM merged
    ), entity_list AS MATERIALIZED (
        SELECT array_agg(c.item) AS items, array_agg(c.chunk_id) AS chunk_ids, array_agg(c.occurrence) AS occurrences,
               array_agg(c.place) AS places, max(c.item_count) AS item_count
          FROM kept CROSS JOIN LATERAL pgrag.chunks_of_entities(
                   retrieve_ranked.workspace_id, kept.entity_ids, retrieve_ranked.filter) c
    ), entity_picked AS MATERIALIZED (
        SELECT array_agg(p.chunk_id ORDER BY p.ordinal) AS chunk_ids
          FROM entity_list l CROSS JOIN LATERAL pgrag.pick_chunks(
                   retrieve_ranked.workspace_id, retrieve_ranked.pick_embedding,
                   l.items, l.chunk_ids, l.occurrences, l.places, l.item_count, retrieve_ranked.related_chunk_number) p
    ), relation_list AS MATERIALIZED (
        SELECT array_agg(c.item) AS items, array_agg(c.chunk_id) AS chunk_ids, array_agg(c.occurrence) AS occurrences,
               array_agg(c.place) AS places, max(c.item_count) AS item_count
          FROM kept CROSS JOIN entity_picked CROSS JOIN LATERAL pgrag.chunks_of_relations(
                   retrieve_ranked.workspace_id, kept.relation_ids, entity_picked.chunk_ids, retrieve_ranked.filter) c
    ), relation_picked AS MATERIALIZED (
        SELECT array_agg(p.chunk_id ORDER BY p.ordinal) AS chunk_ids
          FROM relation_list l CROSS JOIN LATERAL pgrag.pick_chunks(
                   retrieve_ranked.workspace_id, retrieve_ranked.pick_embedding,
                   l.items, l.chunk_ids, l.occurrences, l.places, l.item_count, retrieve_ranked.related_chunk_number) p
    ), merged_chunk AS MATERIALIZED (
        SELECT m.*
          FROM hit CROSS JOIN entity_picked e CROSS JOIN relation_picked r
         CROSS JOIN LATERAL pgrag.round_robin_chunks(hit.chunk_ids, e.chunk_ids, r.chunk_ids) m
         ORDER BY m.ordinal
         LIMIT nullif(coalesce(retrieve_ranked.max_chunks, retrieve_ranked.chunk_top_k), 0)
    )
    SELECT f.kind, f.ordinal, f.id, f.item, f.token_count, f.source, f.distance
      FROM (
        SELECT 1 AS step, 'entity' AS kind, i.ordinal, i.id, i.item, i.token_count, m.source, h.distance
          FROM kept CROSS JOIN LATERAL pgrag.entity_items(retrieve_ranked.workspace_id, kept.entity_ids) i
          JOIN merged_entity m ON m.id = i.id
          LEFT JOIN entity_hit h ON h.entity_id = i.id
        UNION ALL
        SELECT 2, 'relation', i.ordinal, i.id, i.item, i.token_count, m.source, h.distance
          FROM kept CROSS JOIN LATERAL pgrag.relation_items(retrieve_ranked.workspace_id, kept.relation_ids) i
          JOIN merged_relation m ON m.id = i.id
          LEFT JOIN relation_hit h ON h.relation_id = i.id
        UNION ALL
        SELECT 3, 'chunk', i.ordinal, i.id, i.item, i.token_count, m.source, i.distance
          FROM (SELECT array_agg(c.chunk_id ORDER BY c.ordinal) AS ids FROM merged_chunk c) x
         CROSS JOIN LATERAL pgrag.chunk_items(retrieve_ranked.workspace_id, x.ids, retrieve_ranked.query_embedding) i
          JOIN merged_chunk m ON m.chunk_id = i.id
      ) f
     ORDER BY f.step, f.ordinal;
END;
COMMENT ON FUNCTION pgrag.retrieve_ranked(
    bigint, vector, vector, vector, vector, vector, int, int, int, int, float8, int, int, jsonb) IS
    'What a question brings up, ranked, merged and cut to budget: the stages of retrieve, one CTE each.';
