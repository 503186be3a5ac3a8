-- The relations walked from the entities, at most max_depth hops far: (depth 1.. at which a relation is first walked,
-- relation_id, source_id, target_id, keywords, weight), by depth, then relation, each once. The walk goes level by level and
-- visits at most max_nodes entities, the given ones counted; where a level has more, those of the highest degree are
-- visited, then by name. A relation is returned when both its ends are visited. With relation_keywords only relations that
-- have one of them (compared by name_key) are walked; NULL or none: all. Ids that the workspace does not have are passed
-- over. Errors RG001 (max_depth or max_nodes below 1), RG002 (unknown workspace).
CREATE OR REPLACE FUNCTION pgrag.subgraph(
    workspace text, entity_ids bigint[], max_depth int DEFAULT 2, max_nodes int DEFAULT 1000,
    relation_keywords text[] DEFAULT NULL)
RETURNS TABLE (depth int, relation_id bigint, source_id bigint, target_id bigint, keywords text[], weight float8)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home bigint := pgrag.workspace_id(subgraph.workspace);
    wanted text[] := ARRAY(SELECT pgrag.name_key(k) FROM unnest(subgraph.relation_keywords) k WHERE k IS NOT NULL);
    step bigint[];
    neighbors bigint[];
    frontier bigint[];
    newcomers bigint[];
    visited bigint[];
BEGIN
    PERFORM pgrag.require(subgraph.max_depth >= 1, format('max_depth must be positive, got %s', subgraph.max_depth)),
            pgrag.require(subgraph.max_nodes >= 1, format('max_nodes must be positive, got %s', subgraph.max_nodes));
    frontier := pgrag.foremost_entities(home, subgraph.entity_ids, '{}', subgraph.max_nodes);
    visited := frontier;
    FOR level IN 1 .. subgraph.max_depth LOOP
        EXIT WHEN cardinality(frontier) = 0;
        SELECT array_agg(h.relation_id), array_agg(h.neighbor_id) INTO step, neighbors
          FROM pgrag.relations_at(home, frontier, wanted) h;
        newcomers := pgrag.foremost_entities(home, neighbors, visited, subgraph.max_nodes - cardinality(visited));
        RETURN QUERY        -- a neighbor visited on an earlier level: the relation was walked from there
        SELECT level, r.id, r.source_id, r.target_id, r.keywords, r.weight
          FROM (SELECT DISTINCT s.relation_id
                  FROM unnest(step, neighbors) s(relation_id, neighbor_id)
                  JOIN unnest(frontier || newcomers) v(id) ON v.id = s.neighbor_id) w
          JOIN pgrag.relation r ON r.workspace_id = home AND r.id = w.relation_id
         ORDER BY r.id;
        visited := visited || newcomers;
        frontier := newcomers;
    END LOOP;
END $$;
COMMENT ON FUNCTION pgrag.subgraph(text, bigint[], int, int, text[]) IS
    'The relations walked from the entities, at most max_depth hops far and max_nodes entities wide.';
