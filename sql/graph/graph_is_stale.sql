-- Whether AGE's catalog knows the graph under another schema oid than the one it has now, or not at all: so after a dump
-- and restore (apache/age#2503). Unlabelled patterns and paths then fail or find nothing. False when there is no graph.
-- Asks AGE itself, because ordinary roles may not read ag_catalog.ag_graph.
CREATE OR REPLACE FUNCTION pgrag.graph_is_stale()
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT pgrag.graph_installed() THEN
        RETURN false;
    END IF;
    IF pgrag.graph_label('RELATES') IS NULL THEN
        RETURN true;
    END IF;
    PERFORM ag_catalog._label_name(n.oid, ag_catalog._graphid(pgrag.graph_label('RELATES'), 0))
       FROM pg_catalog.pg_namespace n
      WHERE n.nspname = 'pgrag_graph';
    RETURN false;
EXCEPTION WHEN undefined_object THEN
    RETURN true;
END $$;
COMMENT ON FUNCTION pgrag.graph_is_stale() IS
    'Whether AGE''s catalog knows the graph under another schema oid, as after a dump and restore.';
