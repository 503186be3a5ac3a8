-- The text of a relation that is embedded: keywords joined by ", ", tab, source, newline, target, newline, description.
CREATE OR REPLACE FUNCTION pgrag.relation_text(keywords text[], source text, target text, description text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT array_to_string(relation_text.keywords, ', ') || E'\t' || relation_text.source || E'\n'
        || relation_text.target || E'\n' || relation_text.description;
END;
COMMENT ON FUNCTION pgrag.relation_text(text[], text, text, text) IS
    'The text of a relation that is embedded: keywords, tab, source, newline, target, newline, description.';
