-- The hop of subgraph: (relation_id, neighbor_id) of every relation at any of the entities that has a wanted keyword (given
-- as name_keys; none wanted: all), a relation between two of the entities twice, in no order. Walked by Cypher or by join,
-- as graph_backend() says.
CREATE OR REPLACE FUNCTION pgrag.relations_at(workspace_id bigint, entity_ids bigint[], wanted text[])
RETURNS TABLE (relation_id bigint, neighbor_id bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT n.relation_id, n.neighbor_id
      FROM pgrag.neighbors_of(relations_at.workspace_id, relations_at.entity_ids) n
     WHERE cardinality(relations_at.wanted) = 0
        OR EXISTS (SELECT FROM pgrag.relation r
                    WHERE r.workspace_id = relations_at.workspace_id AND r.id = n.relation_id
                      AND ARRAY(SELECT pgrag.name_key(k) FROM unnest(r.keywords) k) && relations_at.wanted);
END;
COMMENT ON FUNCTION pgrag.relations_at(bigint, bigint[], text[]) IS
    'The hop of subgraph: every relation at any of the entities that has a wanted keyword, with its other end.';
