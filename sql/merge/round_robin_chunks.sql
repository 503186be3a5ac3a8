-- Chunks of the three sources, interleaved: the first of the vector search, the first of the entities, the first of the
-- relations, the second of the vector search … ; each once, where first seen. A list that is used up, or NULL, is passed
-- over; a repeated id leaves its place empty. source is 'vector', 'entity' or 'relation': the first that brought it.
CREATE OR REPLACE FUNCTION pgrag.round_robin_chunks(vector_ids bigint[], entity_ids bigint[], relation_ids bigint[])
RETURNS TABLE (ordinal int, chunk_id bigint, source text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT (row_number() OVER (ORDER BY f.turn))::int, f.id, (ARRAY['vector', 'entity', 'relation'])[1 + f.turn % 3]
      FROM (
        SELECT s.id, min(s.turn) AS turn
          FROM (SELECT v.id, 3 * v.place AS turn
                  FROM unnest(round_robin_chunks.vector_ids) WITH ORDINALITY AS v (id, place)
                UNION ALL
                SELECT e.id, 3 * e.place + 1
                  FROM unnest(round_robin_chunks.entity_ids) WITH ORDINALITY AS e (id, place)
                UNION ALL
                SELECT r.id, 3 * r.place + 2
                  FROM unnest(round_robin_chunks.relation_ids) WITH ORDINALITY AS r (id, place)) s
         GROUP BY s.id
      ) f
     ORDER BY f.turn;
END;
COMMENT ON FUNCTION pgrag.round_robin_chunks(bigint[], bigint[], bigint[]) IS
    'Chunks of the vector search, the entities and the relations, interleaved, each once, where first seen.';
