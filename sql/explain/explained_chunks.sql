-- Candidates for the chunks of retrieve, of its three legs: vector (those near the embedding), entity and relation (those that
-- speak of the entities and relations that are kept). distance is to query_embedding. Arguments of that name are columns of
-- retrieve_stages. Rows as in explain_retrieve, in no order.
CREATE OR REPLACE FUNCTION pgrag.explained_chunks(
    workspace_id bigint, query_embedding vector, vector_embedding vector, chunk_top_k int, max_distance float8, filter jsonb,
    chunk_hits bigint[], entity_ids bigint[], relation_ids bigint[], entity_chunks bigint[], picked_of_entities bigint[],
    relation_chunks bigint[], picked_of_relations bigint[], chunk_ids bigint[])
RETURNS TABLE (
    kind text, id bigint, leg text, rank int, distance float8, token_count int, kept boolean, reason text, ordinal int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH candidate AS MATERIALIZED (
        SELECT h.id, 'vector' AS leg, h.place::int AS rank, NULL AS reason
          FROM unnest(explained_chunks.chunk_hits) WITH ORDINALITY AS h (id, place)
        UNION ALL
        SELECT f.chunk_id, 'vector', f.rank, f.reason
          FROM pgrag.fallen_chunk_hits(
                   explained_chunks.workspace_id, explained_chunks.vector_embedding, explained_chunks.chunk_top_k,
                   explained_chunks.max_distance, explained_chunks.filter, explained_chunks.chunk_hits) f
        UNION ALL
        SELECT p.chunk_id, 'entity', p.rank, p.reason
          FROM pgrag.picked_or_not(
                   explained_chunks.workspace_id, explained_chunks.query_embedding,
                   explained_chunks.entity_chunks, explained_chunks.picked_of_entities) p
        UNION ALL
        SELECT o.chunk_id, 'entity', NULL, 'filter'
          FROM pgrag.chunks_of_entities(explained_chunks.workspace_id, explained_chunks.entity_ids, NULL) o
         WHERE explained_chunks.filter IS NOT NULL
           AND NOT EXISTS (SELECT FROM unnest(explained_chunks.entity_chunks) AS l (id) WHERE l.id = o.chunk_id)
        UNION ALL
        SELECT p.chunk_id, 'relation', p.rank, p.reason
          FROM pgrag.picked_or_not(
                   explained_chunks.workspace_id, explained_chunks.query_embedding,
                   explained_chunks.relation_chunks, explained_chunks.picked_of_relations) p
        UNION ALL
        SELECT o.chunk_id, 'relation', NULL, CASE WHEN p.id IS NULL THEN 'filter' ELSE 'duplicate' END
          FROM pgrag.chunks_of_relations(explained_chunks.workspace_id, explained_chunks.relation_ids, NULL, NULL) o
          LEFT JOIN unnest(explained_chunks.picked_of_entities) AS p (id) ON p.id = o.chunk_id
         WHERE NOT EXISTS (SELECT FROM unnest(explained_chunks.relation_chunks) AS l (id) WHERE l.id = o.chunk_id)
    )
    SELECT 'chunk', c.id, c.leg, c.rank, e.embedding <=> (SELECT explained_chunks.query_embedding::halfvec),
           x.token_count, f.reason IS NULL, f.reason, CASE WHEN f.reason IS NULL THEN k.place::int END
      FROM candidate c
      JOIN pgrag.chunk x ON x.workspace_id = explained_chunks.workspace_id AND x.id = c.id
      LEFT JOIN pgrag.chunk_embedding e ON e.workspace_id = explained_chunks.workspace_id AND e.chunk_id = c.id
      LEFT JOIN pgrag.round_robin_chunks(
                    explained_chunks.chunk_hits, explained_chunks.picked_of_entities,
                    explained_chunks.picked_of_relations) m ON m.chunk_id = c.id
      LEFT JOIN unnest(explained_chunks.chunk_ids) WITH ORDINALITY AS k (id, place) ON k.id = c.id
     CROSS JOIN LATERAL (
        SELECT coalesce(c.reason, CASE WHEN c.leg <> m.source THEN 'duplicate' WHEN k.id IS NULL THEN 'limit' END) AS reason
     ) f;
END;
COMMENT ON FUNCTION pgrag.explained_chunks(
    bigint, vector, vector, int, float8, jsonb, bigint[], bigint[], bigint[], bigint[], bigint[], bigint[], bigint[],
    bigint[]) IS
    'Candidates for the chunks of retrieve, of its three legs, as rows of explain_retrieve.';
