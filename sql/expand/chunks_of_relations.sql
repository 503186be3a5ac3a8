-- The chunks that speak of the relations, each once, without the excluded ones (those that entities brought). A chunk
-- belongs to the earliest relation that it speaks of; relations that are left with no chunk are no items, the others are
-- the items 1..item_count, in the order of relation_ids. occurrence is how many of the relations the chunk speaks of; place
-- is as in chunks_of_entities. In no order. With a filter, only chunks of documents whose metadata contains it.
CREATE OR REPLACE FUNCTION pgrag.chunks_of_relations(
    workspace_id bigint, relation_ids bigint[], excluded_chunk_ids bigint[] DEFAULT NULL, filter jsonb DEFAULT NULL)
RETURNS TABLE (item int, item_count int, chunk_id bigint, occurrence int, place bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT s.item::int, (max(s.item) OVER ())::int, s.chunk_id, s.occurrence::int, s.place
      FROM (
        SELECT dense_rank() OVER (ORDER BY min(h.place)) AS item, v.chunk_id, count(DISTINCT h.relation_id) AS occurrence,
               min(h.place << 32 | coalesce(v.stated_order, 2147483647)) AS place
          FROM unnest(chunks_of_relations.relation_ids) WITH ORDINALITY AS h (relation_id, place)
          JOIN pgrag.relation_evidence v
            ON v.workspace_id = chunks_of_relations.workspace_id AND v.relation_id = h.relation_id
         WHERE v.chunk_id <> ALL (coalesce(chunks_of_relations.excluded_chunk_ids, '{}'))
           AND (chunks_of_relations.filter IS NULL
                OR pgrag.chunk_is_within(chunks_of_relations.workspace_id, v.chunk_id, chunks_of_relations.filter))
         GROUP BY v.chunk_id
      ) s;
END;
COMMENT ON FUNCTION pgrag.chunks_of_relations(bigint, bigint[], bigint[], jsonb) IS
    'The chunks that speak of the relations, each once, with the earliest relation that it speaks of.';
