-- Entities or relations of the local and the global leg, interleaved: the first of local, the first of global, the second
-- of local … ; each once, where first seen. A list that is used up, or NULL, is passed over; a repeated id leaves its
-- place empty. source is the leg that it was first seen in, 'local' or 'global'.
CREATE OR REPLACE FUNCTION pgrag.round_robin_legs(local_ids bigint[], global_ids bigint[])
RETURNS TABLE (ordinal int, id bigint, source text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT (row_number() OVER (ORDER BY f.turn))::int, f.id, CASE f.turn % 2 WHEN 0 THEN 'local' ELSE 'global' END
      FROM (
        SELECT s.id, min(s.turn) AS turn
          FROM (SELECT l.id, 2 * l.place AS turn
                  FROM unnest(round_robin_legs.local_ids) WITH ORDINALITY AS l (id, place)
                UNION ALL
                SELECT g.id, 2 * g.place + 1
                  FROM unnest(round_robin_legs.global_ids) WITH ORDINALITY AS g (id, place)) s
         GROUP BY s.id
      ) f
     ORDER BY f.turn;
END;
COMMENT ON FUNCTION pgrag.round_robin_legs(bigint[], bigint[]) IS
    'Entities or relations of the local and the global leg, interleaved, each once, where first seen.';
