-- The most frequent of the values, the earliest of equals; NULLs do not vote. NULL when there is none.
CREATE OR REPLACE FUNCTION pgrag.majority(votes text[])
RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF cardinality(majority.votes) = 1 THEN
        RETURN majority.votes[1];
    END IF;
    RETURN (SELECT v.vote
              FROM unnest(majority.votes) WITH ORDINALITY AS v(vote, ordinal)
             WHERE v.vote IS NOT NULL
             GROUP BY v.vote
             ORDER BY count(*) DESC, min(v.ordinal)
             LIMIT 1);
END $$;
COMMENT ON FUNCTION pgrag.majority(text[]) IS
    'The most frequent of the values, the earliest of equals; NULL when there is none.';
