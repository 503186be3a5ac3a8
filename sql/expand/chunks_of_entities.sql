-- The chunks that speak of the entities, each once. An entity without evidence is no item; the others are the items
-- 1..item_count, in the order of entity_ids. A chunk belongs to the earliest item that it speaks of; occurrence is how many
-- of the items it speaks of. place says where it stands in the evidence of its item, as an import stated it: larger is
-- later, equal where nobody stated an order, which the documents then tell. An item whose chunks all belong to earlier ones
-- has no row, and counts. In no order. With a filter, only chunks of documents whose metadata contains it.
CREATE OR REPLACE FUNCTION pgrag.chunks_of_entities(workspace_id bigint, entity_ids bigint[], filter jsonb DEFAULT NULL)
RETURNS TABLE (item int, item_count int, chunk_id bigint, occurrence int, place bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT min(s.item)::int, (max(max(s.item)) OVER ())::int, s.chunk_id, count(*)::int,
           -- The item, and after it the place: one number, whose least is that of the item that owns the chunk.
           min(s.item << 32 | coalesce(s.stated_order, 2147483647))
      FROM (
        -- A chunk may speak of an entity under several names.
        SELECT dense_rank() OVER (ORDER BY h.place) AS item, v.chunk_id, min(v.stated_order) AS stated_order
          FROM unnest(chunks_of_entities.entity_ids) WITH ORDINALITY AS h (entity_id, place)
          JOIN pgrag.entity_evidence v
            ON v.workspace_id = chunks_of_entities.workspace_id AND v.entity_id = h.entity_id
         WHERE chunks_of_entities.filter IS NULL
            OR pgrag.chunk_is_within(chunks_of_entities.workspace_id, v.chunk_id, chunks_of_entities.filter)
         GROUP BY h.place, v.chunk_id
      ) s
     GROUP BY s.chunk_id;
END;
COMMENT ON FUNCTION pgrag.chunks_of_entities(bigint, bigint[], jsonb) IS
    'The chunks that speak of the entities, each once, with the earliest entity that it speaks of.';
