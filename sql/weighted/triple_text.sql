-- A relation as a triple, `source - keywords - target`, its keywords joined by commas; without keywords `source - target`.
CREATE OR REPLACE FUNCTION pgrag.triple_text(source text, keywords text[], target text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT concat_ws(' - ', triple_text.source, nullif(array_to_string(triple_text.keywords, ', '), ''), triple_text.target);
END;
COMMENT ON FUNCTION pgrag.triple_text(text, text[], text) IS
    'A relation as a triple, source - keywords - target.';
