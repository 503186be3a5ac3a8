-- Nothing, when the caller may make and refill the graph; else error RG005, with the command for the DBA as hint. Needed
-- are all rows of the tables, and the ownership of the graph's tables; to make the graph: CREATE on the database and USAGE
-- on AGE's schema, and the ownership of what an earlier graph left.
CREATE OR REPLACE FUNCTION pgrag.require_graph_rights()
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    obstacle text;
BEGIN
    IF NOT pgrag.sees_all_rows() THEN
        obstacle := 'row-level security hides entities or relations from it';
    ELSIF NOT has_schema_privilege('ag_catalog', 'USAGE') THEN
        obstacle := 'it has no USAGE on the schema ag_catalog';
    ELSIF EXISTS (SELECT FROM pg_catalog.pg_namespace n
                   WHERE n.nspname = 'pgrag_graph' AND NOT pg_has_role(n.nspowner, 'USAGE')) THEN
        obstacle := 'the schema pgrag_graph belongs to another role';
    ELSIF (NOT pgrag.graph_installed() OR pgrag.graph_is_stale())
          AND NOT has_database_privilege(current_database(), 'CREATE') THEN
        obstacle := format('it has no CREATE on the database %I', current_database());
    ELSE
        RETURN;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'RG005',
        MESSAGE = format('the role %I may not make the graph pgrag_graph: %s', current_user, obstacle),
        HINT = format('As a superuser, in the database %I: SELECT pgrag.rebuild_graph(); '
                      'a graph that it makes belongs to the owner of pgrag.entity afterwards.', current_database());
END $$;
COMMENT ON FUNCTION pgrag.require_graph_rights() IS
    'Nothing, when the caller may make and refill the graph; else error RG005.';
