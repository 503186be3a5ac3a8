-- What is kept of relations that were merged into these, one row for each relation of which anything is: statements in the
-- order of the names they were made between; of several the first that says something counts, descriptions and keywords
-- come together. No promised order.
CREATE OR REPLACE FUNCTION pgrag.statements_of_relations(workspace_id bigint, relation_ids bigint[])
RETURNS TABLE (relation_id bigint, source_key text, by_hand boolean, keywords jsonb, descriptions text[], weight float8,
               edited_keywords jsonb, edited_description text, edited_weight float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH placed AS (
        SELECT k.*, row_number() OVER (PARTITION BY k.relation_id
                                       ORDER BY least(k.source_key, k.target_key) COLLATE "C",
                                                greatest(k.source_key, k.target_key) COLLATE "C") AS place
          FROM pgrag.kept_relations(statements_of_relations.workspace_id) k
         WHERE k.relation_id = ANY (statements_of_relations.relation_ids)
    )
    SELECT p.relation_id, (array_agg(p.source_key ORDER BY p.place))[1], bool_or(p.by_hand),
           coalesce(jsonb_agg(to_jsonb(p.stated_keywords)) FILTER (WHERE p.stated_keywords IS NOT NULL), '[]'),
           array_agg(p.stated_description ORDER BY p.place) FILTER (WHERE p.stated_description IS NOT NULL),
           (array_agg(p.stated_weight ORDER BY p.place) FILTER (WHERE p.stated_weight IS NOT NULL))[1],
           (array_agg(to_jsonb(p.edited_keywords) ORDER BY p.place) FILTER (WHERE p.edited_keywords IS NOT NULL))[1],
           (array_agg(p.edited_description ORDER BY p.place) FILTER (WHERE p.edited_description IS NOT NULL))[1],
           (array_agg(p.edited_weight ORDER BY p.place) FILTER (WHERE p.edited_weight IS NOT NULL))[1]
      FROM placed p
     GROUP BY p.relation_id;
END;
COMMENT ON FUNCTION pgrag.statements_of_relations(bigint, bigint[]) IS
    'What is kept of relations that were merged into these, one row for each relation of which anything is.';
