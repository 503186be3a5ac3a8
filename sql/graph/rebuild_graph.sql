-- Empties the graph and fills it from the tables, whatever state it was in: (vertices, edges) as they are now. Makes it, its
-- labels and its indexes where they are missing or stale. Writers of entities and relations wait until the end of the
-- transaction. Without AGE: 0, 0 and a NOTICE. Error RG005, with the command for the DBA as hint, when the caller may not.
CREATE OR REPLACE FUNCTION pgrag.rebuild_graph()
RETURNS TABLE (vertices bigint, edges bigint)
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
AS $$
DECLARE
    entity_label int;
    relates_label int;
BEGIN
    vertices := 0;
    edges := 0;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension x WHERE x.extname = 'age') THEN
        RAISE NOTICE 'AGE is not in this database: there is no graph to rebuild, and hops are walked by join';
        RETURN NEXT;
        RETURN;
    END IF;
    LOCK TABLE pgrag.entity, pgrag.relation IN SHARE ROW EXCLUSIVE MODE;
    PERFORM pgrag.create_graph();
    entity_label := pgrag.graph_label('Entity');
    relates_label := pgrag.graph_label('RELATES');
    TRUNCATE pgrag_graph."Entity", pgrag_graph."RELATES";
    INSERT INTO pgrag_graph."Entity" (id, properties)
    SELECT ag_catalog._graphid(entity_label, e.id),
           ag_catalog.agtype_build_map('id', e.id, 'workspace', e.workspace_id, 'name', e.name, 'type', e.type)
      FROM pgrag.entity e;
    GET DIAGNOSTICS vertices = ROW_COUNT;
    INSERT INTO pgrag_graph."RELATES" (id, start_id, end_id, properties)
    SELECT ag_catalog._graphid(relates_label, r.id),
           ag_catalog._graphid(entity_label, r.source_id), ag_catalog._graphid(entity_label, r.target_id),
           ag_catalog.agtype_build_map('id', r.id, 'workspace', r.workspace_id, 'keywords', r.keywords, 'weight', r.weight)
      FROM pgrag.relation r;
    GET DIAGNOSTICS edges = ROW_COUNT;
    ANALYZE pgrag_graph."Entity", pgrag_graph."RELATES";
    RETURN NEXT;
END $$;
COMMENT ON FUNCTION pgrag.rebuild_graph() IS
    'Empties the graph and fills it from the tables: the vertices and edges there are now.';
