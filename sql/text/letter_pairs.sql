-- Every two neighbouring letters of the runs of unbroken_letters() in a text, with spaces between: 技術底座 gives 技術 術底
-- 底座; a letter that stands alone gives itself. Such scripts have no words to index: their pairs are found instead, also
-- within a longer run, where trigrams would miss the many words of two letters. "" where there are none.
CREATE OR REPLACE FUNCTION pgrag.letter_pairs(content text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(string_agg(substr(found.run[1], place, 2), ' '), '')
      FROM regexp_matches(letter_pairs.content, pgrag.unbroken_letters() || '+', 'g') AS found (run)
     CROSS JOIN generate_series(1, greatest(length(found.run[1]) - 1, 1)) AS place;
END;
COMMENT ON FUNCTION pgrag.letter_pairs(text) IS
    'Every two neighbouring letters of text in scripts that write without spaces between words, with spaces between.';
