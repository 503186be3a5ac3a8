-- Why the caller cannot walk the graph by Cypher, in words that follow "but", and the cure; NULL and NULL when it can.
-- Nothing is asked of AGE before it is known to be there and open to the caller.
CREATE OR REPLACE FUNCTION pgrag.graph_obstacle(OUT obstacle text, OUT cure text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    cure := 'SELECT pgrag.rebuild_graph();';
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension x WHERE x.extname = 'age') THEN
        obstacle := 'AGE is not in this database';
        cure := 'As a superuser: CREATE EXTENSION age; SELECT pgrag.rebuild_graph(); or set graph_backend to auto.';
    ELSIF NOT pgrag.graph_installed() THEN
        obstacle := 'AGE is there without the graph pgrag_graph';
    ELSIF NOT pgrag.graph_is_readable() THEN
        obstacle := format('the role %I may not read the graph pgrag_graph', current_user);
        cure := format('As a superuser: GRANT USAGE ON SCHEMA ag_catalog, pgrag_graph TO %1$I; '
                       'GRANT SELECT ON pgrag_graph."Entity", pgrag_graph."RELATES" TO %1$I;', current_user);
    ELSIF pgrag.graph_is_stale() THEN
        obstacle := 'AGE''s catalog does not know the graph pgrag_graph any more, as after a restore';
    ELSE
        cure := NULL;
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.graph_obstacle() IS
    'Why the caller cannot walk the graph by Cypher, and the cure; NULL and NULL when it can.';
