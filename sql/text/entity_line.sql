-- The line of an entity in the prompt, without its newline: JSON with the keys entity, type, description, in this order
-- and with the spacing of Python's json.dumps(ensure_ascii=False), which renders the same line.
CREATE OR REPLACE FUNCTION pgrag.entity_line(name text, type text, description text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT '{"entity": ' || to_json(entity_line.name)::text
        || ', "type": ' || to_json(entity_line.type)::text
        || ', "description": ' || to_json(entity_line.description)::text || '}';
END;
COMMENT ON FUNCTION pgrag.entity_line(text, text, text) IS
    'The line of an entity in the prompt, without its newline: JSON with entity, type, description.';
