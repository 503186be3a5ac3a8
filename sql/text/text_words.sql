-- The words of a text, as the full-text index of chunks holds them: what the configuration makes of the text (stems, no stop
-- words; simple: every word as it stands, in lower case), and the letter_pairs of scripts without spaces, whatever the
-- configuration. Width is folded (NFKC). Chunks and queries go through the same function.
CREATE OR REPLACE FUNCTION pgrag.text_words(language regconfig, content text)
RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN octet_length(text_words.content) = length(text_words.content)     -- ASCII: there is nothing to fold
                THEN to_tsvector(text_words.language, text_words.content)
                ELSE (SELECT to_tsvector(text_words.language,
                                         regexp_replace(folded.content, pgrag.unbroken_letters() || '+', ' ', 'g'))
                          || to_tsvector('pg_catalog.simple', pgrag.letter_pairs(folded.content))
                        FROM (SELECT normalize(text_words.content, NFKC) AS content) folded) END;
END;
COMMENT ON FUNCTION pgrag.text_words(regconfig, text) IS
    'The words of a text, as the full-text index of chunks holds them.';
