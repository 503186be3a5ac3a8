-- The entities that names mean, each once: of every name the 5 best of entities_like, with quality 0..1, the best score that
-- any of the names gave it. Blank and NULL names are passed over, names alike after folding count once. In no order.
CREATE OR REPLACE FUNCTION pgrag.matched_entities(workspace_id bigint, names text[])
RETURNS TABLE (entity_id bigint, quality float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT m.id, max(m.score)
      FROM (SELECT DISTINCT pgrag.name_key(given.name) AS name FROM unnest(matched_entities.names) AS given (name)) asked
     CROSS JOIN LATERAL pgrag.entities_like(matched_entities.workspace_id, asked.name, 5) m
     GROUP BY m.id;
END;
COMMENT ON FUNCTION pgrag.matched_entities(bigint, text[]) IS
    'The entities that names mean, each once, with the quality (0..1) of the best match.';
