-- The top_k entities whose name is, begins with, contains or resembles `name`, best first; needs no embedding, and serves
-- any script. match is exact, prefix, contains or similar, score is 0..1; entities_like says how both are found and how
-- ties are broken. Errors: RG001 for a blank name or top_k below 1, RG002 for an unknown workspace.
-- (LANGUAGE sql, because plpgsql takes no result column of an argument's name.)
CREATE OR REPLACE FUNCTION pgrag.match_entities(workspace text, name text, top_k int DEFAULT 10)
RETURNS TABLE (id bigint, name text, type text, match text, score float8)
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
SET jit = off
BEGIN ATOMIC
    SELECT pgrag.require_at_least('top_k', match_entities.top_k, 1),
           pgrag.require(pgrag.name_key(match_entities.name) <> '', 'name must not be blank');
    WITH asked AS MATERIALIZED (SELECT pgrag.workspace_id(match_entities.workspace) AS id)
    SELECT m.id, m.name, m.type, m.match, m.score
      FROM asked a CROSS JOIN LATERAL pgrag.entities_like(a.id, match_entities.name, match_entities.top_k) m;
END;
COMMENT ON FUNCTION pgrag.match_entities(text, text, int) IS
    'The top_k entities whose name is, begins with, contains or resembles name, best first.';
