-- The relations at most max_depth hops from entities: (relation_id, hops 1.., quality of the entity the walk began at). A
-- relation comes once for each number of hops at which it was walked, with the best quality that came there so; what comes
-- later with no better quality is not walked again. At most max_nodes entities are walked on from on each level: those of the
-- best quality, then of the highest degree, then by name. With wanted (name_keys) only relations that have one of these
-- keywords are walked, with a filter only those with evidence in a document whose metadata contains it. In no order.
CREATE OR REPLACE FUNCTION pgrag.relations_within_reach(
    workspace_id bigint, entity_ids bigint[], qualities float8[], max_depth int, max_nodes int, wanted text[], filter jsonb)
RETURNS TABLE (relation_id bigint, hops int, quality float8)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    frontier bigint[] := entity_ids;
    carried float8[] := qualities;
    visited bigint[] := entity_ids;
    known float8[] := qualities;
    walked bigint[];
    neighbors bigint[];
    arriving float8[];
BEGIN
    FOR hop IN 1 .. max_depth LOOP
        EXIT WHEN cardinality(frontier) > 0 IS NOT TRUE;
        SELECT array_agg(n.relation_id), array_agg(n.neighbor_id), array_agg(f.quality) INTO walked, neighbors, arriving
          FROM pgrag.relations_at(relations_within_reach.workspace_id, frontier, wanted) n
          JOIN pgrag.relation r ON r.workspace_id = relations_within_reach.workspace_id AND r.id = n.relation_id
          JOIN unnest(frontier, carried) AS f (entity_id, quality) ON f.entity_id = r.source_id + r.target_id - n.neighbor_id
         WHERE filter IS NULL OR pgrag.relation_is_within(relations_within_reach.workspace_id, r.id, filter);
        RETURN QUERY
        SELECT w.id, hop, max(w.quality) FROM unnest(walked, arriving) AS w (id, quality) GROUP BY w.id;
        EXIT WHEN hop = max_depth;
        SELECT array_agg(a.id), array_agg(a.quality) INTO frontier, carried
          FROM (SELECT a.id, a.quality
                  FROM (SELECT x.id, max(x.quality) AS quality FROM unnest(neighbors, arriving) AS x (id, quality) GROUP BY x.id) a
                  JOIN pgrag.entity e ON e.workspace_id = relations_within_reach.workspace_id AND e.id = a.id
                 WHERE NOT EXISTS (SELECT FROM unnest(visited, known) AS v (id, quality)
                                    WHERE v.id = a.id AND v.quality >= a.quality)
                 ORDER BY a.quality DESC, e.degree DESC, e.name_key
                 LIMIT max_nodes) a;
        visited := visited || frontier;
        known := known || carried;
    END LOOP;
END $$;
COMMENT ON FUNCTION pgrag.relations_within_reach(bigint, bigint[], float8[], int, int, text[], jsonb) IS
    'The relations at most max_depth hops from entities, with the hops and the quality of the entity the walk began at.';
