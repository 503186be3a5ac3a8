-- What a question brings up, ranked, merged and cut to budget: the stages of retrieve, one CTE each, and in one row what
-- they gave: lists of ids in their order, NULL when empty. retrieve_ranked shows the last of them, explained_* all. An
-- embedding is NULL for a leg that is not walked: local (entities, then their relations), global (relations, then their
-- entities), vector (chunks). pick_embedding NULL picks chunks by weight.
--   *_hits, *_distances: what the searches found; related_*: what the hits of the other kind brought
--   entity_ids, relation_ids, chunk_ids: interleaved, and cut; *_sources: for each of them the leg that brought it first
--   entity_chunks, relation_chunks: chunks that speak of entity_ids and of relation_ids (without the picked of the
--   former), in no order; picked_*: those that take part
CREATE OR REPLACE FUNCTION pgrag.retrieve_stages(
    workspace_id bigint, local_embedding vector, global_embedding vector, vector_embedding vector, pick_embedding vector,
    top_k int, chunk_top_k int, max_entity_tokens int, max_relation_tokens int,
    max_distance float8, related_chunk_number int, max_chunks int, filter jsonb)
RETURNS TABLE (
    entity_hits bigint[], entity_distances float8[], relation_hits bigint[], relation_distances float8[],
    chunk_hits bigint[], related_entities bigint[], related_relations bigint[],
    entity_ids bigint[], entity_sources text[], relation_ids bigint[], relation_sources text[],
    entity_chunks bigint[], picked_of_entities bigint[], relation_chunks bigint[], picked_of_relations bigint[],
    chunk_ids bigint[], chunk_sources text[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH entity_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_entities(
            retrieve_stages.workspace_id, retrieve_stages.local_embedding,
            retrieve_stages.top_k, retrieve_stages.max_distance, retrieve_stages.filter) n
    ), relation_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_relations(
            retrieve_stages.workspace_id, retrieve_stages.global_embedding,
            retrieve_stages.top_k, retrieve_stages.max_distance, retrieve_stages.filter) n
    ), chunk_hit AS MATERIALIZED (
        SELECT n.* FROM pgrag.nearest_chunks(
            retrieve_stages.workspace_id, retrieve_stages.vector_embedding,
            retrieve_stages.chunk_top_k, retrieve_stages.max_distance, retrieve_stages.filter) n
    ), hit AS MATERIALIZED (
        SELECT (SELECT array_agg(e.entity_id ORDER BY e.ordinal) FROM entity_hit e) AS entity_ids,
               (SELECT array_agg(e.distance ORDER BY e.ordinal) FROM entity_hit e) AS entity_distances,
               (SELECT array_agg(r.relation_id ORDER BY r.ordinal) FROM relation_hit r) AS relation_ids,
               (SELECT array_agg(r.distance ORDER BY r.ordinal) FROM relation_hit r) AS relation_distances,
               (SELECT array_agg(c.chunk_id ORDER BY c.ordinal) FROM chunk_hit c) AS chunk_ids
    ), expanded AS MATERIALIZED (
        SELECT (SELECT array_agg(r.relation_id ORDER BY r.ordinal)
                  FROM pgrag.relations_of_entities(
                      retrieve_stages.workspace_id, hit.entity_ids, retrieve_stages.filter) r) AS relation_ids,
               (SELECT array_agg(e.entity_id ORDER BY e.ordinal)
                  FROM pgrag.entities_of_relations(
                      retrieve_stages.workspace_id, hit.relation_ids, retrieve_stages.filter) e) AS entity_ids
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
                      retrieve_stages.workspace_id, merged.entity_ids, retrieve_stages.max_entity_tokens) e) AS entity_ids,
               (SELECT array_agg(r.relation_id ORDER BY r.ordinal)
                  FROM pgrag.relations_within_budget(
                      retrieve_stages.workspace_id, merged.relation_ids, retrieve_stages.max_relation_tokens) r) AS relation_ids
          FROM merged
    ), entity_list AS MATERIALIZED (
        SELECT array_agg(c.item) AS items, array_agg(c.chunk_id) AS chunk_ids, array_agg(c.occurrence) AS occurrences,
               array_agg(c.place) AS places, max(c.item_count) AS item_count
          FROM kept CROSS JOIN LATERAL pgrag.chunks_of_entities(
                   retrieve_stages.workspace_id, kept.entity_ids, retrieve_stages.filter) c
    ), entity_picked AS MATERIALIZED (
        SELECT array_agg(p.chunk_id ORDER BY p.ordinal) AS chunk_ids
          FROM entity_list l CROSS JOIN LATERAL pgrag.pick_chunks(
                   retrieve_stages.workspace_id, retrieve_stages.pick_embedding,
                   l.items, l.chunk_ids, l.occurrences, l.places, l.item_count, retrieve_stages.related_chunk_number) p
    ), relation_list AS MATERIALIZED (
        SELECT array_agg(c.item) AS items, array_agg(c.chunk_id) AS chunk_ids, array_agg(c.occurrence) AS occurrences,
               array_agg(c.place) AS places, max(c.item_count) AS item_count
          FROM kept CROSS JOIN entity_picked CROSS JOIN LATERAL pgrag.chunks_of_relations(
                   retrieve_stages.workspace_id, kept.relation_ids, entity_picked.chunk_ids, retrieve_stages.filter) c
    ), relation_picked AS MATERIALIZED (
        SELECT array_agg(p.chunk_id ORDER BY p.ordinal) AS chunk_ids
          FROM relation_list l CROSS JOIN LATERAL pgrag.pick_chunks(
                   retrieve_stages.workspace_id, retrieve_stages.pick_embedding,
                   l.items, l.chunk_ids, l.occurrences, l.places, l.item_count, retrieve_stages.related_chunk_number) p
    ), merged_chunk AS MATERIALIZED (
        SELECT m.*
          FROM hit CROSS JOIN entity_picked e CROSS JOIN relation_picked r
         CROSS JOIN LATERAL pgrag.round_robin_chunks(hit.chunk_ids, e.chunk_ids, r.chunk_ids) m
         ORDER BY m.ordinal
         LIMIT nullif(coalesce(retrieve_stages.max_chunks, retrieve_stages.chunk_top_k), 0)
    )
    SELECT hit.entity_ids, hit.entity_distances, hit.relation_ids, hit.relation_distances, hit.chunk_ids,
           expanded.entity_ids, expanded.relation_ids,
           kept.entity_ids,
           (SELECT array_agg(m.source ORDER BY m.ordinal)
              FROM merged_entity m WHERE m.ordinal <= cardinality(kept.entity_ids)),
           kept.relation_ids,
           (SELECT array_agg(m.source ORDER BY m.ordinal)
              FROM merged_relation m WHERE m.ordinal <= cardinality(kept.relation_ids)),
           entity_list.chunk_ids, entity_picked.chunk_ids, relation_list.chunk_ids, relation_picked.chunk_ids,
           (SELECT array_agg(m.chunk_id ORDER BY m.ordinal) FROM merged_chunk m),
           (SELECT array_agg(m.source ORDER BY m.ordinal) FROM merged_chunk m)
      FROM hit CROSS JOIN expanded CROSS JOIN kept
     CROSS JOIN entity_list CROSS JOIN entity_picked CROSS JOIN relation_list CROSS JOIN relation_picked;
END;
COMMENT ON FUNCTION pgrag.retrieve_stages(
    bigint, vector, vector, vector, vector, int, int, int, int, float8, int, int, jsonb) IS
    'What a question brings up, ranked, merged and cut to budget: the stages of retrieve, and in one row what they gave.';
