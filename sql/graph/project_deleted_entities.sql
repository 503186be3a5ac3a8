-- Trigger: the vertices of the entities just deleted leave the graph. Nothing when there is no graph. The graph is asked
-- by an array and never by a join, and sequential scans are off, so that the kept plan uses the index on id for one row and
-- for many, whatever the statistics say.
CREATE OR REPLACE FUNCTION pgrag.project_deleted_entities()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
    label int := pgrag.graph_label('Entity');
BEGIN
    IF label IS NULL THEN
        RETURN NULL;
    END IF;
    DELETE FROM pgrag_graph."Entity" g
     WHERE g.id = ANY (ARRAY(SELECT ag_catalog._graphid(label, o.id) FROM old_rows o));
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.project_deleted_entities() IS
    'Trigger: the vertices of the entities just deleted leave the graph.';
