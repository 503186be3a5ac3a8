-- Every relation at each of the entities, whichever end it is: (entity_id the one asked, relation_id, neighbor_id the other
-- end), each relation once for each asked entity, in no order. Walked by Cypher or by join, as graph_backend() says.
CREATE OR REPLACE FUNCTION pgrag.neighbors_of(workspace_id bigint, entity_ids bigint[])
RETURNS TABLE (entity_id bigint, relation_id bigint, neighbor_id bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF pgrag.graph_backend() = 'age' THEN
        RETURN QUERY SELECT n.* FROM pgrag.neighbors_by_cypher(neighbors_of.workspace_id, neighbors_of.entity_ids) n;
    ELSE
        RETURN QUERY SELECT n.* FROM pgrag.neighbors_by_join(neighbors_of.workspace_id, neighbors_of.entity_ids) n;
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.neighbors_of(bigint, bigint[]) IS
    'Every relation at each of the entities, whichever end it is, by Cypher or by join.';
