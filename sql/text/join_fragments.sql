-- The distinct fragments in their order, joined by <SEP>; '' when there is none. What was joined before is taken apart
-- first, so joining twice changes nothing.
CREATE OR REPLACE FUNCTION pgrag.join_fragments(fragments text[])
RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    -- One fragment that was never joined is by far the most frequent case.
    IF cardinality(join_fragments.fragments) = 1 AND strpos(join_fragments.fragments[1], '<SEP>') = 0 THEN
        RETURN btrim(join_fragments.fragments[1]);
    END IF;
    RETURN (SELECT coalesce(string_agg(d.piece, '<SEP>' ORDER BY d.ordinal), '')
              FROM (SELECT btrim(p.piece) AS piece, min(f.ordinal * 100000 + p.ordinal) AS ordinal
                      FROM unnest(join_fragments.fragments) WITH ORDINALITY AS f(fragment, ordinal),
                           string_to_table(f.fragment, '<SEP>') WITH ORDINALITY AS p(piece, ordinal)
                     WHERE btrim(p.piece) <> ''
                     GROUP BY btrim(p.piece)) d);
END $$;
COMMENT ON FUNCTION pgrag.join_fragments(text[]) IS
    'The distinct fragments in their order, joined by <SEP>; empty when there is none.';
