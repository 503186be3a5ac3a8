-- Whether the graph's label tables are there, as AGE made them. Asks for their columns, not for the tables: DROP EXTENSION
-- age CASCADE in a session that has not loaded AGE takes the columns and leaves empty husks. Two index look-ups.
CREATE OR REPLACE FUNCTION pgrag.graph_installed()
RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT count(*) = 2
              FROM pg_catalog.pg_namespace n
              JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname IN ('Entity', 'RELATES')
              JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'properties'
             WHERE n.nspname = 'pgrag_graph');
END $$;
COMMENT ON FUNCTION pgrag.graph_installed() IS
    'Whether the graph''s label tables are there, as AGE made them.';
