-- The most frequent of the values, the earliest of equals; NULLs do not vote. NULL when there is none.
CREATE OR REPLACE FUNCTION pgrag.majority(votes text[])
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT v.vote
      FROM unnest(majority.votes) WITH ORDINALITY AS v(vote, ordinal)
     WHERE v.vote IS NOT NULL
     GROUP BY v.vote
     ORDER BY count(*) DESC, min(v.ordinal)
     LIMIT 1;
END;
COMMENT ON FUNCTION pgrag.majority(text[]) IS
    'The most frequent of the values, the earliest of equals; NULL when there is none.';
