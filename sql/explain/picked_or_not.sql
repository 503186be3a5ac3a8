-- Chunks that were there to be picked from: the picked ones by their rank, with no reason, behind them the others by distance
-- to query_embedding, then id, with reason limit. chunk_ids is in no order, picked_ids in that of the pick. In no order.
CREATE OR REPLACE FUNCTION pgrag.picked_or_not(
    workspace_id bigint, query_embedding vector, chunk_ids bigint[], picked_ids bigint[])
RETURNS TABLE (chunk_id bigint, rank int, reason text)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT a.id,
           (row_number() OVER (ORDER BY p.place, x.embedding <=> (SELECT picked_or_not.query_embedding::halfvec), a.id))::int,
           CASE WHEN p.id IS NULL THEN 'limit' END
      FROM unnest(picked_or_not.chunk_ids) AS a (id)
      LEFT JOIN unnest(picked_or_not.picked_ids) WITH ORDINALITY AS p (id, place) ON p.id = a.id
      LEFT JOIN pgrag.chunk_embedding x ON x.workspace_id = picked_or_not.workspace_id AND x.chunk_id = a.id;
END;
COMMENT ON FUNCTION pgrag.picked_or_not(bigint, vector, bigint[], bigint[]) IS
    'Chunks that were there to be picked from: the picked ones by rank, behind them the others by distance, then id.';
