-- Whether the caller may read the graph by Cypher: USAGE on AGE's schema and the graph's, SELECT on both label tables.
-- Only to be asked when graph_installed().
CREATE OR REPLACE FUNCTION pgrag.graph_is_readable()
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT bool_and(has_schema_privilege(n.oid, 'USAGE'))
              FROM pg_catalog.pg_namespace n
             WHERE n.nspname IN ('ag_catalog', 'pgrag_graph'))
       AND (SELECT bool_and(has_table_privilege(c.oid, 'SELECT'))
              FROM pg_catalog.pg_class c
              JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
             WHERE n.nspname = 'pgrag_graph' AND c.relname IN ('Entity', 'RELATES'));
END $$;
COMMENT ON FUNCTION pgrag.graph_is_readable() IS
    'Whether the caller may read the graph by Cypher.';
