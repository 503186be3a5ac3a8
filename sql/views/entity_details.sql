-- Everything about one entity, in one row; the name goes through aliases. edited names the columns that a hand has changed,
-- aliases are sorted, documents are the ids of those that speak of it, sorted. Error RG008 for an unknown entity.
-- (LANGUAGE sql, because plpgsql takes no result column of an argument's name.)
CREATE OR REPLACE FUNCTION pgrag.entity_details(workspace text, name text)
RETURNS TABLE (id bigint, name text, type text, description text, description_source text, degree int, by_hand boolean,
               edited text[], aliases text[], documents text[], chunk_count bigint, stale boolean)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    -- By itself: a join that finds its other side empty would never come to ask.
    SELECT pgrag.entity_named(pgrag.workspace_id(entity_details.workspace), entity_details.name);
    WITH asked AS MATERIALIZED (
        SELECT w.id AS workspace_id, pgrag.entity_named(w.id, entity_details.name) AS id
          FROM (SELECT pgrag.workspace_id(entity_details.workspace) AS id) w
    )
    SELECT e.id, e.name, e.type, e.description, e.description_source, e.degree, e.by_hand,
           array_remove(ARRAY[CASE WHEN e.edited_name IS NOT NULL THEN 'name' END,
                              CASE WHEN e.edited_type IS NOT NULL THEN 'type' END,
                              CASE WHEN e.edited_description IS NOT NULL THEN 'description' END], NULL),
           ARRAY(SELECT m.alias FROM pgrag.entity_alias m
                  WHERE m.workspace_id = e.workspace_id AND m.canonical_key = e.name_key ORDER BY m.alias_key COLLATE "C"),
           said.documents, said.chunk_count, e.stale
      FROM asked a
      JOIN pgrag.entity e ON e.workspace_id = a.workspace_id AND e.id = a.id
     CROSS JOIN LATERAL (
           SELECT coalesce(array_agg(DISTINCT d.document_key COLLATE "C"), '{}') AS documents,
                  count(DISTINCT v.chunk_id) AS chunk_count
             FROM pgrag.entity_evidence v
             JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
             JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
            WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id) said;
END;
COMMENT ON FUNCTION pgrag.entity_details(text, text) IS
    'Everything about one entity, in one row; the name goes through aliases. Error RG008 for an unknown entity.';
