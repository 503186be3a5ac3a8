-- Trigger: the entities just inserted become vertices of the graph. Nothing when there is no graph.
CREATE OR REPLACE FUNCTION pgrag.project_inserted_entities()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
AS $$
DECLARE
    label int := pgrag.graph_label('Entity');
BEGIN
    IF label IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO pgrag_graph."Entity" (id, properties)
    SELECT ag_catalog._graphid(label, n.id),
           ag_catalog.agtype_build_map('id', n.id, 'workspace', n.workspace_id, 'name', n.name, 'type', n.type)
      FROM new_rows n;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.project_inserted_entities() IS
    'Trigger: the entities just inserted become vertices of the graph.';
