-- Every relation at each of the entities, whichever end it is: (entity_id the one asked, relation_id, neighbor_id the other
-- end), each relation once for each asked entity, by entity, then relation. Ids that the workspace does not have give no
-- rows, ids given twice count once. Error RG002 for an unknown workspace, RG005 when graph_backend is age and AGE is not
-- there.
CREATE OR REPLACE FUNCTION pgrag.neighbors(workspace text, entity_ids bigint[])
RETURNS TABLE (entity_id bigint, relation_id bigint, neighbor_id bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT n.entity_id, n.relation_id, n.neighbor_id
      FROM pgrag.neighbors_of(pgrag.workspace_id(neighbors.workspace), neighbors.entity_ids) n
     ORDER BY n.entity_id, n.relation_id;
END $$;
COMMENT ON FUNCTION pgrag.neighbors(text, bigint[]) IS
    'Every relation at each of the entities, whichever end it is, by entity, then relation.';
