-- Every relation at each of the entities, whichever end it is: (entity_id the one asked, relation_id, neighbor_id the other
-- end), each relation once for each asked entity, in no order. Ids that the workspace does not have give no rows, ids given
-- twice count once, a NULL array gives nothing. The hop by join; neighbors_by_cypher gives the same rows.
CREATE OR REPLACE FUNCTION pgrag.neighbors_by_join(workspace_id bigint, entity_ids bigint[])
RETURNS TABLE (entity_id bigint, relation_id bigint, neighbor_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT r.source_id, r.id, r.target_id
      FROM pgrag.relation r
     WHERE r.workspace_id = neighbors_by_join.workspace_id AND r.source_id = ANY (neighbors_by_join.entity_ids)
    UNION ALL
    SELECT r.target_id, r.id, r.source_id
      FROM pgrag.relation r
     WHERE r.workspace_id = neighbors_by_join.workspace_id AND r.target_id = ANY (neighbors_by_join.entity_ids);
END;
COMMENT ON FUNCTION pgrag.neighbors_by_join(bigint, bigint[]) IS
    'Every relation at each of the entities, whichever end it is: the hop by join.';
