-- The line of a relation in the prompt, without its newline: JSON with the keys entity1, entity2, description, in this
-- order and with the spacing of Python's json.dumps(ensure_ascii=False), which renders the same line.
CREATE OR REPLACE FUNCTION pgrag.relation_line(source text, target text, description text)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT '{"entity1": ' || to_json(relation_line.source)::text
        || ', "entity2": ' || to_json(relation_line.target)::text
        || ', "description": ' || to_json(relation_line.description)::text || '}';
END;
COMMENT ON FUNCTION pgrag.relation_line(text, text, text) IS
    'The line of a relation in the prompt, without its newline: JSON with entity1, entity2, description.';
