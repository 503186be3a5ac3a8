-- What a picture of the workspace's graph shows: the max_nodes entities of the highest degree (ties by name), and every
-- relation between two of them. Rows of kind 'node' (id, name, type, description, degree; the rest NULL) in that order, then
-- rows of kind 'edge' (id, description, source_id, target_id, keywords, weight; the rest NULL) by id. Errors RG001
-- (max_nodes below 1), RG002 (unknown workspace).
CREATE OR REPLACE FUNCTION pgrag.graph_picture(workspace text, max_nodes int DEFAULT 1000)
RETURNS TABLE (kind text, id bigint, name text, type text, description text, degree int,
               source_id bigint, target_id bigint, keywords text[], weight float8)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home bigint := pgrag.workspace_id(graph_picture.workspace);
BEGIN
    PERFORM pgrag.require(graph_picture.max_nodes >= 1,
                          format('max_nodes must be positive, got %s', graph_picture.max_nodes));
    RETURN QUERY
    WITH shown AS MATERIALIZED (
        SELECT e.id, e.name, e.name_key, e.type, e.description, e.degree
          FROM pgrag.entity e
         WHERE e.workspace_id = home
         ORDER BY e.degree DESC, e.name_key
         LIMIT graph_picture.max_nodes
    ), pictured AS (
        SELECT 'node' AS kind, row_number() OVER (ORDER BY s.degree DESC, s.name_key) AS place, s.id, s.name, s.type,
               s.description, s.degree, NULL::bigint AS source_id, NULL::bigint AS target_id, NULL::text[] AS keywords,
               NULL::float8 AS weight
          FROM shown s
         UNION ALL
        SELECT 'edge', r.id, r.id, NULL, NULL, r.description, NULL, r.source_id, r.target_id, r.keywords, r.weight
          FROM pgrag.relation r
          JOIN shown a ON a.id = r.source_id
          JOIN shown b ON b.id = r.target_id
         WHERE r.workspace_id = home
    )
    SELECT p.kind, p.id, p.name, p.type, p.description, p.degree, p.source_id, p.target_id, p.keywords, p.weight
      FROM pictured p
     ORDER BY p.kind DESC, p.place;
END $$;
COMMENT ON FUNCTION pgrag.graph_picture(text, int) IS
    'What a picture of the workspace''s graph shows: the entities of the highest degree, and the relations between them.';
