-- The text of an entity that is embedded: name, newline, description.
CREATE OR REPLACE FUNCTION pgrag.entity_text(name text, description text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT entity_text.name || E'\n' || entity_text.description;
END;
COMMENT ON FUNCTION pgrag.entity_text(text, text) IS
    'The text of an entity that is embedded: name, newline, description.';
