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
    WITH vertices AS (
        SELECT count(*) FILTER (WHERE v.id IS NULL) AS missing, count(*) FILTER (WHERE e.id IS NULL) AS extra,
               count(*) FILTER (WHERE v.properties <> ag_catalog.agtype_build_map(
                   'id', e.id, 'workspace', e.workspace_id, 'name', e.name, 'type', e.type)) AS different
          FROM pgrag.entity e
          FULL JOIN pgrag_graph."Entity" v ON v.id = ag_catalog._graphid(entity_label, e.id)
    ), edges AS (
        SELECT count(*) FILTER (WHERE g.id IS NULL) AS missing, count(*) FILTER (WHERE r.id IS NULL) AS extra,
               count(*) FILTER (WHERE g.start_id <> ag_catalog._graphid(entity_label, r.source_id)
                   OR g.end_id <> ag_catalog._graphid(entity_label, r.target_id)
                   OR g.properties <> ag_catalog.agtype_build_map(
                       'id', r.id, 'workspace', r.workspace_id, 'keywords', r.keywords, 'weight', r.weight)) AS different
          FROM pgrag.relation r
          FULL JOIN pgrag_graph."RELATES" g ON g.id = ag_catalog._graphid(relates_label, r.id)
    )
    SELECT format(p.message, p.rows), check_graph.cure
      FROM vertices v, edges g,
           LATERAL (VALUES (v.missing, 'entities without a vertex: %s'), (v.extra, 'vertices without an entity: %s'),
                           (v.different, 'vertices that differ from their entity: %s'),
                           (g.missing, 'relations without an edge: %s'), (g.extra, 'edges without a relation: %s'),
                           (g.different, 'edges that differ from their relation: %s')) p(rows, message)
     WHERE p.rows > 0;
END $$;
COMMENT ON FUNCTION pgrag.check_graph() IS
    'What is wrong with the graph, one row a problem, with the command that cures it.';
