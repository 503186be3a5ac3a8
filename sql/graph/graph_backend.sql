-- How a hop of the caller is walked: 'age' (Cypher) or 'sql' (join); both give the same rows. The wish is the session's
-- pgrag.graph_backend, else the one in pgrag.setting:
--   sql   always by join
--   auto  by Cypher when the graph is there, sound and readable to the caller
--   age   by Cypher; error RG005 when that cannot be
-- Callers that row-level security applies to go by join whatever the wish: the graph's tables carry no policies, and AGE's
-- operators are not leakproof, so that every hop would scan. Error RG001 for another wish.
CREATE OR REPLACE FUNCTION pgrag.graph_backend()
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    wish text := coalesce(nullif(current_setting('pgrag.graph_backend', true), ''),
                          (SELECT s.graph_backend FROM pgrag.setting s), 'auto');
    found record;
BEGIN
    PERFORM pgrag.require(wish IN ('auto', 'age', 'sql'), format('unknown graph backend %L', wish), 'one of auto, age, sql');
    IF wish = 'sql' OR row_security_active('pgrag.relation') OR row_security_active('pgrag.entity') THEN
        RETURN 'sql';
    END IF;
    found := pgrag.graph_obstacle();
    IF found.obstacle IS NULL THEN
        RETURN 'age';
    ELSIF wish = 'age' THEN
        RAISE EXCEPTION USING ERRCODE = 'RG005', HINT = found.cure,
            MESSAGE = 'graph_backend is age, a hop by Cypher, but ' || found.obstacle;
    END IF;
    RETURN 'sql';
END $$;
COMMENT ON FUNCTION pgrag.graph_backend() IS
    'How a hop of the caller is walked: ''age'' (Cypher) or ''sql'' (join).';
