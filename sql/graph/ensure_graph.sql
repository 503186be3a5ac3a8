-- Fills the graph at the end of a replay, when AGE is there and the graph is missing, stale or was never filled. A role that
-- may not make it gets a warning with the command for the DBA: hops are walked by join until then.
DO $$
DECLARE
    is_empty boolean := NOT pgrag.graph_installed();
    hint text;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension x WHERE x.extname = 'age') THEN
        RETURN;
    END IF;
    IF NOT is_empty AND pgrag.graph_is_readable() THEN
        EXECUTE 'SELECT NOT EXISTS (SELECT FROM pgrag_graph."Entity") AND EXISTS (SELECT FROM pgrag.entity)' INTO is_empty;
    END IF;
    IF is_empty OR pgrag.graph_is_stale() THEN
        PERFORM pgrag.rebuild_graph();
    END IF;
EXCEPTION WHEN SQLSTATE 'RG005' THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RAISE WARNING '%', SQLERRM USING HINT = hint;
END $$;
