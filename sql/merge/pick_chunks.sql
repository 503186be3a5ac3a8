-- Chunks picked for ranked items, out of what chunks_of_entities or chunks_of_relations found (its columns, as arrays).
-- With an embedding: the related_chunk_number * item_count / 2 (rounded down) nearest. Without one, and when that number is
-- 0 or no chunk has a vector: by weight.
CREATE OR REPLACE FUNCTION pgrag.pick_chunks(
    workspace_id bigint, query_embedding vector, items int[], chunk_ids bigint[], occurrences int[], places bigint[],
    item_count int, related_chunk_number int)
RETURNS TABLE (ordinal int, chunk_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH by_vector AS MATERIALIZED (
        SELECT v.ordinal, v.chunk_id
          FROM pgrag.pick_chunks_by_vector(
                   pick_chunks.workspace_id, pick_chunks.query_embedding, pick_chunks.chunk_ids,
                   pick_chunks.related_chunk_number::bigint * pick_chunks.item_count / 2) v
    )
    SELECT v.ordinal, v.chunk_id FROM by_vector v
    UNION ALL
    SELECT w.ordinal, w.chunk_id
      FROM pgrag.pick_chunks_by_weight(
               pick_chunks.workspace_id, pick_chunks.items, pick_chunks.chunk_ids, pick_chunks.occurrences,
               pick_chunks.places, pick_chunks.item_count, pick_chunks.related_chunk_number) w
     WHERE NOT EXISTS (SELECT FROM by_vector);
END;
COMMENT ON FUNCTION pgrag.pick_chunks(bigint, vector, int[], bigint[], int[], bigint[], int, int) IS
    'Chunks picked for ranked items: the nearest ones when there is an embedding, else by weight.';
