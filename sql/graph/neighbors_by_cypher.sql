-- Every relation at each of the entities, whichever end it is: (entity_id the one asked, relation_id, neighbor_id the other
-- end), each relation once for each asked entity, in no order. Ids that the workspace does not have give no rows, ids given
-- twice count once, a NULL array gives nothing. The hop by Cypher; neighbors_by_join gives the same rows.
-- The form is what makes it fast: two directed matches, every end labelled, `a.id = x` after WHERE (an undirected match or a
-- property map in the pattern scans the graph). The planner takes UNWIND for large and would hash a scan of all vertices,
-- hence the pinned settings; sequential scans too, because a plan made while the graph was small is kept. The other end has
-- no name, so that AGE does not fetch it: the edge knows it. The lower 48 bits of a graphid are the id of the row it stands for.
-- The body names a type of AGE, so it is not checked here: then it can be created before AGE is.
SET check_function_bodies = off;
CREATE OR REPLACE FUNCTION pgrag.neighbors_by_cypher(workspace_id bigint, entity_ids bigint[])
RETURNS TABLE (entity_id bigint, relation_id bigint, neighbor_id bigint)
LANGUAGE plpgsql STABLE
SET search_path = ag_catalog, pg_catalog, pg_temp
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_seqscan = off
SET max_parallel_workers_per_gather = 0
AS $$
DECLARE
    asked    ag_catalog.agtype;
    low_bits CONSTANT bigint := (1::bigint << 48) - 1;
BEGIN
    PERFORM ag_catalog.agtype_build_list();     -- loads AGE: a fresh backend does not know cypher() yet
    -- The workspace is settled here, not in the pattern: there the planner would take it for the most selective condition,
    -- and compare every vertex of the workspace with every id. A relation never leaves its workspace.
    asked := ag_catalog.agtype_build_map('ids', ARRAY(
        SELECT e.id FROM pgrag.entity e
         WHERE e.workspace_id = neighbors_by_cypher.workspace_id AND e.id = ANY (neighbors_by_cypher.entity_ids)));
    RETURN QUERY
    SELECT h.entity_id::bigint, h.relation::bigint & low_bits, h.neighbor::bigint & low_bits
      FROM ag_catalog.cypher('pgrag_graph', $cypher$
               UNWIND $ids AS x
               MATCH (a:Entity)-[r:RELATES]->(:Entity) WHERE a.id = x
               RETURN x, id(r), end_id(r)
               UNION ALL
               UNWIND $ids AS x
               MATCH (a:Entity)<-[r:RELATES]-(:Entity) WHERE a.id = x
               RETURN x, id(r), start_id(r)
           $cypher$, asked) AS h(entity_id ag_catalog.agtype, relation ag_catalog.agtype, neighbor ag_catalog.agtype);
END $$;
RESET check_function_bodies;
COMMENT ON FUNCTION pgrag.neighbors_by_cypher(bigint, bigint[]) IS
    'Every relation at each of the entities, whichever end it is: the hop by Cypher.';
