-- What a question brings up, ranked, merged and cut to budget: what the stages of retrieve gave last, as its rows. An embedding
-- is NULL for a leg that is not walked; pick_embedding NULL picks chunks by weight; query_embedding serves the distances shown.
CREATE OR REPLACE FUNCTION pgrag.retrieve_ranked(
    workspace_id bigint, query_embedding vector, local_embedding vector, global_embedding vector, vector_embedding vector,
    pick_embedding vector, top_k int, chunk_top_k int, max_entity_tokens int, max_relation_tokens int,
    max_distance float8, related_chunk_number int, max_chunks int, filter jsonb)
RETURNS TABLE (kind text, ordinal int, id bigint, item jsonb, token_count int, source text, distance float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT i.kind, i.ordinal, i.id, i.item, i.token_count, i.source, i.distance
      FROM pgrag.retrieve_stages(
               retrieve_ranked.workspace_id, retrieve_ranked.local_embedding, retrieve_ranked.global_embedding,
               retrieve_ranked.vector_embedding, retrieve_ranked.pick_embedding,
               retrieve_ranked.top_k, retrieve_ranked.chunk_top_k,
               retrieve_ranked.max_entity_tokens, retrieve_ranked.max_relation_tokens, retrieve_ranked.max_distance,
               retrieve_ranked.related_chunk_number, retrieve_ranked.max_chunks, retrieve_ranked.filter) s
     CROSS JOIN LATERAL pgrag.ranked_items(
               retrieve_ranked.workspace_id, retrieve_ranked.query_embedding,
               s.entity_ids, s.entity_sources, s.entity_hits, s.entity_distances,
               s.relation_ids, s.relation_sources, s.relation_hits, s.relation_distances,
               s.chunk_ids, s.chunk_sources) i;
END;
COMMENT ON FUNCTION pgrag.retrieve_ranked(
    bigint, vector, vector, vector, vector, vector, int, int, int, int, float8, int, int, jsonb) IS
    'What a question brings up, ranked, merged and cut to budget: what the stages of retrieve gave last, as its rows.';
