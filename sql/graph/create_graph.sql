-- Makes the graph pgrag_graph with its labels Entity and RELATES and the indexes of the hop, where any of them is missing;
-- makes it anew, empty, when AGE's catalog and its schema disagree (a restore, DROP EXTENSION age CASCADE). A new graph
-- belongs to the owner of pgrag.entity, and who may read or write the tables may read or write it. Only with AGE there.
-- Error RG005, with the command for the DBA as hint, when the caller may not do what is needed.
CREATE OR REPLACE FUNCTION pgrag.create_graph()
RETURNS void
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
SET client_min_messages = warning
AS $$
BEGIN
    PERFORM pgrag.require_graph_rights();
    IF NOT pgrag.graph_installed() OR pgrag.graph_is_stale() THEN
        IF ag_catalog._label_id('pgrag_graph', '_ag_label_vertex') > 0 THEN
            PERFORM ag_catalog.drop_graph('pgrag_graph', true);
        END IF;
        DROP SCHEMA IF EXISTS pgrag_graph CASCADE;
        PERFORM ag_catalog.create_graph('pgrag_graph');
        PERFORM ag_catalog.create_vlabel('pgrag_graph', 'Entity');
        PERFORM ag_catalog.create_elabel('pgrag_graph', 'RELATES');
        PERFORM pgrag.give_graph();
        PERFORM pgrag.grant_graph();
        -- changes nothing, but sessions that walked an earlier graph compile the hop again: AGE's types have new oids
        ALTER FUNCTION pgrag.neighbors_by_cypher(bigint, bigint[]) STABLE;
    END IF;
    CREATE UNIQUE INDEX IF NOT EXISTS "Entity_pkey" ON pgrag_graph."Entity" (id);
    CREATE INDEX IF NOT EXISTS "Entity_property_id_idx"
        ON pgrag_graph."Entity" (ag_catalog.agtype_access_operator(properties, '"id"'::ag_catalog.agtype));
    CREATE INDEX IF NOT EXISTS "RELATES_id_idx" ON pgrag_graph."RELATES" (id);
    CREATE INDEX IF NOT EXISTS "RELATES_start_id_idx" ON pgrag_graph."RELATES" (start_id);
    CREATE INDEX IF NOT EXISTS "RELATES_end_id_idx" ON pgrag_graph."RELATES" (end_id);
END $$;
COMMENT ON FUNCTION pgrag.create_graph() IS
    'Makes the graph pgrag_graph, its labels and the indexes of the hop, where any of them is missing or stale.';
