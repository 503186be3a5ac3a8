-- The number that AGE gave to a label of the graph ('Entity' or 'RELATES'): the upper 16 bits of its graphids. NULL when
-- there is no graph to write to: AGE is absent, was dropped, or does not know the graph.
CREATE OR REPLACE FUNCTION pgrag.graph_label(label text)
RETURNS int
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT pgrag.graph_installed() THEN
        RETURN NULL;
    END IF;
    RETURN nullif(ag_catalog._label_id('pgrag_graph', graph_label.label::name)::int, 0);
END $$;
COMMENT ON FUNCTION pgrag.graph_label(text) IS
    'The number that AGE gave to a label of the graph; NULL when there is no graph.';
