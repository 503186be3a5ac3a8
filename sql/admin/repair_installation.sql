-- Mends what check_installation finds and what can be mended from the tables alone: what names mean, degrees, relations and
-- entities that nothing speaks of any more, the graph. What was done, a line each; no line when nothing had to be.
CREATE OR REPLACE FUNCTION pgrag.repair_installation()
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    mended  bigint;
    wrong   record;
    touched record;
    graph   record;
BEGIN
    FOR wrong IN SELECT m.* FROM pgrag.misunderstood_names() m LOOP
        SELECT * INTO touched FROM pgrag.resolve_evidence(wrong.workspace_id, wrong.entity_ids);
        PERFORM pgrag.settle(wrong.workspace_id, touched.entity_ids, touched.relation_ids);
        RETURN NEXT format('resolved anew: %s %s', wrong.rows, wrong.mistake);
    END LOOP;
    FOR wrong IN SELECT u.* FROM pgrag.unfounded_relations() u LOOP
        PERFORM pgrag.settle(wrong.workspace_id, '{}', wrong.relation_ids);
        RETURN NEXT format('%s relations without evidence dropped', cardinality(wrong.relation_ids));
    END LOOP;

    SELECT count(*) INTO mended FROM pgrag.entity;
    PERFORM pgrag.drop_unheard(w.id, ARRAY(SELECT e.id FROM pgrag.entity e WHERE e.workspace_id = w.id)) FROM pgrag.workspace w;
    mended := mended - (SELECT count(*) FROM pgrag.entity);
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
