-- Entities as retrieve shows them, in the order of entity_ids: item {name, type, description, degree}, and the tokens of
-- the line in the prompt, newline included.
CREATE OR REPLACE FUNCTION pgrag.entity_items(workspace_id bigint, entity_ids bigint[])
RETURNS TABLE (ordinal int, id bigint, item jsonb, token_count int)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT h.place::int, e.id,
           jsonb_build_object('name', e.name, 'type', e.type, 'description', e.description, 'degree', e.degree),
           e.token_count
      FROM unnest(entity_items.entity_ids) WITH ORDINALITY AS h (id, place)
      JOIN pgrag.entity e ON e.workspace_id = entity_items.workspace_id AND e.id = h.id
     ORDER BY h.place;
END;
COMMENT ON FUNCTION pgrag.entity_items(bigint, bigint[]) IS
    'Entities as retrieve shows them, in the order of entity_ids: item {name, type, description, degree}.';
