-- Why retrieve gives what it gives, with the same arguments: every candidate of every leg, once. Entities and relations have
-- the legs local and global, chunks vector, entity and relation (the items that are kept bring them). What two legs found is
-- two candidates: the one that retrieve names as its source, and a duplicate.
-- Columns: rank: the place in its leg, from 1; NULL for what never took part (refused by the filter; a chunk of relations that
-- entities had brought). distance (cosine, 0..2): of a hit, or near-hit, to its search's embedding, of a chunk to
-- query_embedding. token_count as in retrieve. kept: retrieve gives it, with this ordinal; else one reason why not:
--   duplicate   another leg brought it before               budget   max_entity_tokens or max_relation_tokens were spent
--   limit       too many were better: top_k, chunk_top_k, related_chunk_number, max_chunks
--   threshold   not nearer than max_distance                filter   no document that the filter admits speaks of it
-- A search is looked at explained_hits(top_k) deep: what stands farther back is no candidate.
-- Order: entities, relations, chunks; the kept by ordinal, then the others by leg and rank. Errors as retrieve.
CREATE OR REPLACE FUNCTION pgrag.explain_retrieve(
    workspace text, mode text,
    query_embedding vector DEFAULT NULL, low_level_embedding vector DEFAULT NULL, high_level_embedding vector DEFAULT NULL,
    top_k int DEFAULT 40, chunk_top_k int DEFAULT 20, max_entity_tokens int DEFAULT 6000, max_relation_tokens int DEFAULT 8000,
    max_distance float8 DEFAULT 0.8, related_chunk_number int DEFAULT 5, chunk_pick_method text DEFAULT 'vector',
    max_chunks int DEFAULT NULL, filter jsonb DEFAULT NULL)
RETURNS TABLE (
    kind text, id bigint, leg text, rank int, distance float8, token_count int, kept boolean, reason text, ordinal int)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET hnsw.iterative_scan = strict_order
SET hnsw.ef_search FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
    chunk_limit int := coalesce(chunk_top_k, top_k);
    leg record;
    stages record;
BEGIN
    PERFORM pgrag.require_retrieve(
        mode, query_embedding, low_level_embedding, high_level_embedding, top_k, chunk_top_k, max_entity_tokens,
        max_relation_tokens, max_distance, related_chunk_number, chunk_pick_method, max_chunks, filter);
    SELECT pgrag.leg_embedding('local', mode, query_embedding, low_level_embedding, high_level_embedding) AS local,
           pgrag.leg_embedding('global', mode, query_embedding, low_level_embedding, high_level_embedding) AS global,
           pgrag.leg_embedding('vector', mode, query_embedding, low_level_embedding, high_level_embedding) AS vector
      INTO leg;
    SELECT r.* INTO stages
      FROM pgrag.retrieve_stages(
        asked_id, leg.local, leg.global, leg.vector,
        CASE WHEN chunk_pick_method = 'vector' THEN query_embedding END,
        top_k, chunk_limit, max_entity_tokens, max_relation_tokens,
        max_distance, related_chunk_number, max_chunks, filter) r;
    RETURN QUERY
    SELECT c.*
      FROM (
        SELECT e.*
          FROM pgrag.explained_entities(
            asked_id, leg.local, top_k, max_distance, filter, stages.entity_hits, stages.entity_distances,
            stages.related_entities, stages.relation_hits, stages.entity_ids) e
        UNION ALL
        SELECT r.*
          FROM pgrag.explained_relations(
            asked_id, leg.global, top_k, max_distance, filter, stages.relation_hits, stages.relation_distances,
            stages.related_relations, stages.entity_hits, stages.relation_ids) r
        UNION ALL
        SELECT k.*
          FROM pgrag.explained_chunks(
            asked_id, query_embedding, leg.vector, chunk_limit, max_distance, filter, stages.chunk_hits,
            stages.entity_ids, stages.relation_ids, stages.entity_chunks, stages.picked_of_entities,
            stages.relation_chunks, stages.picked_of_relations, stages.chunk_ids) k
      ) c
     ORDER BY array_position(ARRAY['entity', 'relation', 'chunk'], c.kind), c.ordinal,
              array_position(ARRAY['vector', 'local', 'entity', 'global', 'relation'], c.leg), c.rank, c.distance, c.id;
END $$;
COMMENT ON FUNCTION pgrag.explain_retrieve(
    text, text, vector, vector, vector, int, int, int, int, float8, int, text, int, jsonb) IS
    'Why retrieve gives what it gives, with the same arguments: every candidate once, kept or the reason why not.';
