-- Trigger: the relations just inserted become edges of the graph. Nothing when there is no graph.
CREATE OR REPLACE FUNCTION pgrag.project_inserted_relations()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
AS $$
DECLARE
    label int := pgrag.graph_label('RELATES');
    ends_label int := pgrag.graph_label('Entity');
BEGIN
    IF label IS NULL THEN
        RETURN NULL;
    END IF;
    INSERT INTO pgrag_graph."RELATES" (id, start_id, end_id, properties)
    SELECT ag_catalog._graphid(label, n.id),
           ag_catalog._graphid(ends_label, n.source_id), ag_catalog._graphid(ends_label, n.target_id),
           ag_catalog.agtype_build_map('id', n.id, 'workspace', n.workspace_id, 'keywords', n.keywords, 'weight', n.weight)
      FROM new_rows n;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.project_inserted_relations() IS
    'Trigger: the relations just inserted become edges of the graph.';
