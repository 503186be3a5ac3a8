-- What was stated by hand or by an import of relations whose ends were merged away since, one row a statement: by which alias
-- it is kept, between which names it was stated, which entities these mean now, the relation that it is about (NULL where
-- there is none at present, or both names mean one entity), and what was stated. No promised order.
CREATE OR REPLACE FUNCTION pgrag.kept_relations(workspace_id bigint)
RETURNS TABLE (alias_key text, source_key text, target_key text, source text, target text, source_means text, target_means text,
               relation_id bigint, by_hand boolean, stated_keywords text[], stated_description text, stated_weight float8,
               edited_keywords text[], edited_description text, edited_weight float8)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT k.alias_key, k.source_key, k.target_key, k.source, k.target, k.source_means, k.target_means, r.id,
           coalesce(k.by_hand, false), k.stated_keywords, k.stated_description, k.stated_weight,
           k.edited_keywords, k.edited_description, k.edited_weight
      FROM (SELECT m.alias_key, s.*, coalesce(a.canonical_key, s.source_key) AS source_means,
                   coalesce(b.canonical_key, s.target_key) AS target_means
              FROM pgrag.entity_alias m
             CROSS JOIN LATERAL jsonb_to_recordset(m.kept -> 'relations')
                   AS s(source_key text, target_key text, source text, target text, by_hand boolean,
                        stated_keywords text[], stated_description text, stated_weight float8,
                        edited_keywords text[], edited_description text, edited_weight float8)
              LEFT JOIN pgrag.entity_alias a ON a.workspace_id = m.workspace_id AND a.alias_key = s.source_key
              LEFT JOIN pgrag.entity_alias b ON b.workspace_id = m.workspace_id AND b.alias_key = s.target_key
             WHERE m.workspace_id = kept_relations.workspace_id AND m.kept -> 'relations' IS NOT NULL) k
      LEFT JOIN pgrag.entity x ON x.workspace_id = kept_relations.workspace_id AND x.name_key = k.source_means
      LEFT JOIN pgrag.entity y ON y.workspace_id = kept_relations.workspace_id AND y.name_key = k.target_means
      LEFT JOIN pgrag.relation r ON r.workspace_id = kept_relations.workspace_id
                                AND least(r.source_id, r.target_id) = least(x.id, y.id)
                                AND greatest(r.source_id, r.target_id) = greatest(x.id, y.id);
END;
COMMENT ON FUNCTION pgrag.kept_relations(bigint) IS
    'What was stated by hand or by an import of relations whose ends were merged away since, one row a statement.';
