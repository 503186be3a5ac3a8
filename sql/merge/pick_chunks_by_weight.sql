-- Chunks picked from the lists of ranked items, more from earlier items: LightRAG's linear gradient polling. Chunk
-- chunk_ids[i] is in the list of item items[i] (1..item_count; a list may be empty), where chunks of more items
-- (occurrences[i]) stand first, then in the order of evidence: as stated (places[i]), document_key COLLATE "C", chunk_index.
-- Item i may give max - (i - 1) / (item_count - 1) * (max - 1) chunks, rounded half to even, max = related_chunk_number:
-- 5,4,3,3,2,1 for six items. First each item gives the front of its list; what short lists could not give is then taken
-- from the rest of the earliest item, until that is used up, then of the next one. Order: first picks by item and place,
-- then the extras by item and place. Nothing for related_chunk_number 0 or a NULL argument.
-- (STRICT keeps it out of its caller's plan: picking by vector does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.pick_chunks_by_weight(
    workspace_id bigint, items int[], chunk_ids bigint[], occurrences int[], places bigint[], item_count int,
    related_chunk_number int)
RETURNS TABLE (ordinal int, chunk_id bigint)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH listed AS MATERIALIZED (
        SELECT l.item, l.chunk_id,
               row_number() OVER (PARTITION BY l.item
                                      ORDER BY l.occurrence DESC, l.place, d.document_key COLLATE "C", c.chunk_index) AS place
          FROM unnest(pick_chunks_by_weight.items, pick_chunks_by_weight.chunk_ids, pick_chunks_by_weight.occurrences,
                      pick_chunks_by_weight.places) AS l (item, chunk_id, occurrence, place)
          JOIN pgrag.chunk c ON c.workspace_id = pick_chunks_by_weight.workspace_id AND c.id = l.chunk_id
          JOIN pgrag.document d ON d.workspace_id = pick_chunks_by_weight.workspace_id AND d.id = c.document_id
    ), quota AS MATERIALIZED (
        SELECT q.item, round(pick_chunks_by_weight.related_chunk_number
                             - (q.item - 1)::float8 / greatest(pick_chunks_by_weight.item_count - 1, 1)
                               * (pick_chunks_by_weight.related_chunk_number - 1)) AS quota
          FROM generate_series(1, pick_chunks_by_weight.item_count) AS q (item)
         WHERE pick_chunks_by_weight.related_chunk_number > 0
    ), picked AS (
        (SELECT 1 AS pass, l.item, l.place, l.chunk_id
           FROM listed l JOIN quota q ON q.item = l.item AND l.place <= q.quota)
        UNION ALL
        (SELECT 2, l.item, l.place, l.chunk_id
           FROM listed l JOIN quota q ON q.item = l.item AND l.place > q.quota
          ORDER BY l.item, l.place
          LIMIT (SELECT coalesce(sum(greatest(q.quota - coalesce(s.chunks, 0), 0)), 0)::bigint
                   FROM quota q
                   LEFT JOIN (SELECT l.item, count(*) AS chunks FROM listed l GROUP BY l.item) s ON s.item = q.item))
    )
    SELECT (row_number() OVER (ORDER BY p.pass, p.item, p.place))::int, p.chunk_id
      FROM picked p
     ORDER BY p.pass, p.item, p.place;
END;
COMMENT ON FUNCTION pgrag.pick_chunks_by_weight(bigint, int[], bigint[], int[], bigint[], int, int) IS
    'Chunks picked from the lists of ranked items, more from earlier items: LightRAG''s linear gradient polling.';
