-- Recomputes direction-free keywords, description and weight of relations from their evidence alone, taken in the order of
-- documents, chunks and replies (an import's own order first): keywords united, distinct descriptions joined, weights
-- summed (one for each chunk). What is stated by an import comes first; what was edited by hand stays. Marks `stale` and
-- sets token counts as derive_entities does, also where an end was renamed. How many rows changed.
CREATE OR REPLACE FUNCTION pgrag.derive_relations(workspace_id bigint, relation_ids bigint[])
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    changed bigint;
BEGIN
    WITH evidence AS (
        SELECT v.relation_id, v.keywords, v.weight, v.description,
               row_number() OVER (PARTITION BY v.relation_id
                                  ORDER BY v.stated_order, d.document_key COLLATE "C", c.chunk_index, v.ordinal) AS place
          FROM pgrag.relation_evidence v
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = derive_relations.workspace_id AND v.relation_id = ANY (derive_relations.relation_ids)
    ), heard AS (
        SELECT v.relation_id, jsonb_agg(to_jsonb(v.keywords)) AS keywords, sum(v.weight ORDER BY v.place) AS weight,
               array_agg(v.description ORDER BY v.place) AS descriptions
          FROM evidence v
         GROUP BY v.relation_id
    ), derived AS (
        SELECT r.id, a.name AS source, b.name AS target,
               pgrag.unite_keywords(coalesce(h.keywords, '[]')
                   || CASE WHEN r.stated_keywords IS NULL THEN '[]' ELSE jsonb_build_array(r.stated_keywords) END) AS keywords,
               pgrag.join_fragments(array_prepend(r.stated_description, h.descriptions)) AS description,
               coalesce(h.weight, r.stated_weight, 1) AS weight
          FROM pgrag.relation r
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
          LEFT JOIN heard h ON h.relation_id = r.id
         WHERE r.workspace_id = derive_relations.workspace_id AND r.id = ANY (derive_relations.relation_ids)
           AND r.description_source <> 'manual'
    )
    UPDATE pgrag.relation r
       SET keywords = d.keywords, description = d.description, weight = d.weight, stale = true, updated_at = now(),
           description_source = CASE WHEN r.stated_description IS NULL THEN 'joined' ELSE 'imported' END,
           token_count = octet_length(pgrag.relation_line(d.source, d.target, d.description)) + 1
      FROM derived d
     WHERE r.workspace_id = derive_relations.workspace_id AND r.id = d.id
       AND ((r.keywords, r.description, r.weight) IS DISTINCT FROM (d.keywords, d.description, d.weight)
            OR r.token_count = 0);
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
COMMENT ON FUNCTION pgrag.derive_relations(bigint, bigint[]) IS
    'Recomputes keywords, description and weight of relations from their evidence alone.';
