-- What is wrong with the graph, one row a problem, with the command that cures it; no rows when graph and tables agree, and
-- none without AGE, because then nothing asks the graph. Reads every entity and relation.
CREATE OR REPLACE FUNCTION pgrag.check_graph()
RETURNS TABLE (problem text, cure text)
LANGUAGE plpgsql STABLE
SET search_path = ag_catalog, pg_catalog, pg_temp
AS $$
DECLARE
    entity_label int;
    relates_label int;
BEGIN
    cure := 'SELECT pgrag.rebuild_graph();';
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_extension x WHERE x.extname = 'age') THEN
        RETURN;
    ELSIF NOT pgrag.graph_installed() THEN
        RETURN QUERY SELECT 'AGE is there without the graph pgrag_graph', cure;
        RETURN;
    ELSIF pgrag.graph_is_stale() THEN
        RETURN QUERY SELECT 'AGE''s catalog does not know the graph pgrag_graph any more, as after a restore', cure;
        RETURN;
    ELSIF NOT pgrag.sees_all_rows() THEN
        RETURN QUERY SELECT format('row-level security hides rows from %I: the graph cannot be compared', current_user),
                            'Ask as the owner of pgrag.entity.';
        RETURN;
    END IF;
    entity_label := pgrag.graph_label('Entity');
    relates_label := pgrag.graph_label('RELATES');
    RETURN QUERY
    SELECT d.difference || ': ' || count(*), check_graph.cure
      FROM (SELECT CASE WHEN v.id IS NULL THEN 'entities without a vertex'
                        WHEN e.id IS NULL THEN 'vertices without an entity'
                        WHEN v.properties <> ag_catalog.agtype_build_map(
                            'id', e.id, 'workspace', e.workspace_id, 'name', e.name, 'type', e.type)
                        THEN 'vertices that differ from their entity' END AS difference
              FROM pgrag.entity e
              FULL JOIN pgrag_graph."Entity" v ON v.id = ag_catalog._graphid(entity_label, e.id)
             UNION ALL
            SELECT CASE WHEN g.id IS NULL THEN 'relations without an edge'
                        WHEN r.id IS NULL THEN 'edges without a relation'
                        WHEN g.start_id <> ag_catalog._graphid(entity_label, r.source_id)
                          OR g.end_id <> ag_catalog._graphid(entity_label, r.target_id)
                          OR g.properties <> ag_catalog.agtype_build_map(
                            'id', r.id, 'workspace', r.workspace_id, 'keywords', r.keywords, 'weight', r.weight)
                        THEN 'edges that differ from their relation' END
              FROM pgrag.relation r
              FULL JOIN pgrag_graph."RELATES" g ON g.id = ag_catalog._graphid(relates_label, r.id)) d
     WHERE d.difference IS NOT NULL
     GROUP BY d.difference
     ORDER BY d.difference;
END $$;
COMMENT ON FUNCTION pgrag.check_graph() IS
    'What is wrong with the graph, one row a problem, with the command that cures it.';
