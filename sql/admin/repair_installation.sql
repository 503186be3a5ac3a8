-- Mends what check_installation finds and what can be mended from the tables alone: degrees, entities that nothing speaks
-- of any more, the graph. What was done, a line each; no line when nothing had to be.
CREATE OR REPLACE FUNCTION pgrag.repair_installation()
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    mended bigint;
    graph  record;
BEGIN
    DELETE FROM pgrag.entity e
     WHERE NOT e.by_hand
       AND NOT EXISTS (SELECT FROM pgrag.entity_evidence v WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id)
       AND NOT EXISTS (SELECT FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.source_id = e.id)
       AND NOT EXISTS (SELECT FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.target_id = e.id);
    GET DIAGNOSTICS mended = ROW_COUNT;
    IF mended > 0 THEN
        RETURN NEXT format('%s entities without evidence dropped', mended);
    END IF;

    UPDATE pgrag.entity e SET degree = counted.degree
      FROM (SELECT x.workspace_id, x.id,
                   (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = x.workspace_id AND r.source_id = x.id)
                 + (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = x.workspace_id AND r.target_id = x.id) AS degree
              FROM pgrag.entity x) counted
     WHERE counted.workspace_id = e.workspace_id AND counted.id = e.id AND counted.degree <> e.degree;
    GET DIAGNOSTICS mended = ROW_COUNT;
    IF mended > 0 THEN
        RETURN NEXT format('%s degrees counted anew', mended);
    END IF;

    IF EXISTS (SELECT FROM pgrag.check_graph()) THEN
        SELECT * INTO graph FROM pgrag.rebuild_graph();
        RETURN NEXT format('graph rebuilt: %s vertices, %s edges', graph.vertices, graph.edges);
    END IF;
    PERFORM pgrag.bump_version(w.id) FROM pgrag.workspace w;
END $$;
COMMENT ON FUNCTION pgrag.repair_installation() IS
    'Mends what check_installation finds and what can be mended from the tables alone. What was done, a line each.';
