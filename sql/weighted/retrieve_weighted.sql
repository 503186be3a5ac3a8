-- What a question brings up, as one list, best first (HybridRAG): chunks near query_embedding (source vector, score 1 -
-- distance), triples `source - keywords - target` near the entities that entity_names match (source graph, score as
-- triple_score says), and, when text_weight is above 0, chunks that hold words of query_text (source text, score as
-- chunks_with_words says). At most top_k of each source are looked at, and top_k rows returned.
-- A triple whose evidence is a chunk of the list is that chunk: it counts there and is not listed. fusion weighted: the score
-- is vector_weight * v + graph_weight * g + text_weight * t, of what found it; 0..1 when the weights sum to 1. fusion rrf: the
-- sum of weight / (60 + rank in the source). Ties: vector, text, graph, then rank in the source. A source with weight 0, or
-- without its question (NULL), is left out.
-- id is the chunk's or the relation's, content the chunk's text or the triple. item: of a chunk {document_id, file_path,
-- chunk_index, metadata?, token_count, distance?, scores, triples?}, of a triple {source, target, keywords, description,
-- weight, rank, token_count, hops, match, scores}: scores {source: score} before weighting, triples what it states, match the
-- quality of the name's match (0..1). max_depth is hops from the entities, relation_keywords restricts what is walked (NULL or
-- none: all). With a filter, everything has evidence in a document whose metadata contains it.
-- Errors: RG001 for an argument out of its domain or nothing to search with, RG002 for an unknown workspace, RG003.
CREATE OR REPLACE FUNCTION pgrag.retrieve_weighted(
    workspace text, query_embedding vector, entity_names text[], vector_weight float8 DEFAULT 0.6,
    graph_weight float8 DEFAULT 0.4, top_k int DEFAULT 10, max_depth int DEFAULT 1, relation_keywords text[] DEFAULT NULL,
    fusion text DEFAULT 'weighted', max_distance float8 DEFAULT 0.8, filter jsonb DEFAULT NULL, query_text text DEFAULT NULL,
    text_weight float8 DEFAULT 0)
RETURNS TABLE (ordinal int, source text, id bigint, content text, score float8, item jsonb)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET hnsw.iterative_scan = strict_order
SET hnsw.ef_search FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET jit = off
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
BEGIN
    PERFORM pgrag.require_weighted(
        query_embedding, entity_names, query_text, vector_weight, graph_weight, text_weight, top_k, max_depth, fusion,
        max_distance, filter);
    RETURN QUERY
    SELECT i.ordinal, i.source, i.id, i.content, i.score, i.item
      FROM pgrag.weighted_items(
        asked_id,
        CASE WHEN vector_weight > 0 THEN query_embedding END,
        CASE WHEN text_weight > 0 THEN query_text END,
        CASE WHEN graph_weight > 0 THEN entity_names END,
        jsonb_build_object('vector', vector_weight, 'graph', graph_weight, 'text', text_weight),
        top_k, max_depth, relation_keywords, fusion, max_distance, filter) i
     ORDER BY i.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.retrieve_weighted(
    text, vector, text[], float8, float8, int, int, text[], text, float8, jsonb, text, float8) IS
    'What a question brings up in chunks and in the graph, as one list, best first, by weighted scores (HybridRAG).';
