-- Everything about the relation of two entities, in one row; names go through aliases, either end may come first. edited names
-- the columns that a hand has changed, of this relation or of one merged into it; documents are the ids of those that speak of
-- it, sorted. Errors: RG008 for an unknown entity, RG009 when nothing relates the two.
-- (LANGUAGE sql, because plpgsql takes no result column of an argument's name.)
CREATE OR REPLACE FUNCTION pgrag.relation_details(workspace text, source text, target text)
RETURNS TABLE (id bigint, source text, target text, keywords text[], description text, description_source text, weight float8,
               by_hand boolean, edited text[], documents text[], chunk_count bigint, stale boolean)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    -- By itself: a join that finds its other side empty would never come to ask.
    SELECT pgrag.relation_named(pgrag.workspace_id(relation_details.workspace), relation_details.source,
                                relation_details.target);
    WITH asked AS MATERIALIZED (
        SELECT w.id AS workspace_id, pgrag.relation_named(w.id, relation_details.source, relation_details.target) AS id
          FROM (SELECT pgrag.workspace_id(relation_details.workspace) AS id) w
    )
    SELECT r.id, a.name, b.name, r.keywords, r.description, r.description_source, r.weight,
           r.by_hand OR coalesce(k.by_hand, false),
           array_remove(ARRAY[CASE WHEN num_nonnulls(r.edited_keywords, k.edited_keywords) > 0 THEN 'keywords' END,
                              CASE WHEN num_nonnulls(r.edited_description, k.edited_description) > 0 THEN 'description' END,
                              CASE WHEN num_nonnulls(r.edited_weight, k.edited_weight) > 0 THEN 'weight' END], NULL),
           said.documents, said.chunk_count, r.stale
      FROM asked x
      JOIN pgrag.relation r ON r.workspace_id = x.workspace_id AND r.id = x.id
      JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
      JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
      LEFT JOIN pgrag.statements_of_relations(x.workspace_id, ARRAY[x.id]) k ON k.relation_id = r.id
     CROSS JOIN LATERAL (
           SELECT coalesce(array_agg(DISTINCT d.document_key COLLATE "C"), '{}') AS documents,
                  count(DISTINCT v.chunk_id) AS chunk_count
             FROM pgrag.relation_evidence v
             JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
             JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
            WHERE v.workspace_id = r.workspace_id AND v.relation_id = r.id) said;
END;
COMMENT ON FUNCTION pgrag.relation_details(text, text, text) IS
    'Everything about the relation of two entities, in one row; names go through aliases. Error RG009 when nothing relates them.';
