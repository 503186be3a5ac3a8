-- Stores the relations of an import and their evidence; fills in the ids. What is stated of a pair that is there already is
-- added to what was stated before. The ends must be there (import_entities), self-loops gone. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_relations(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO pgrag.relation AS r
           (workspace_id, source_id, target_id, stated_keywords, stated_description, stated_weight, by_hand)
    SELECT import_relations.workspace_id, s.source_id, s.target_id, s.keywords, s.description, s.weight, s.by_hand
      FROM pgrag.stated_relations() s
     ORDER BY least(s.source_id, s.target_id), greatest(s.source_id, s.target_id)
    ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id)) DO UPDATE
        SET stated_keywords = CASE WHEN r.stated_keywords IS NULL THEN excluded.stated_keywords
                                   ELSE pgrag.unite_keywords(jsonb_build_array(
                                            r.stated_keywords, coalesce(excluded.stated_keywords, '{}'))) END,
            stated_description = CASE WHEN r.stated_description IS NULL THEN excluded.stated_description
                                      WHEN excluded.stated_description IS NULL THEN r.stated_description
                                      ELSE pgrag.join_fragments(ARRAY[r.stated_description, excluded.stated_description]) END,
            stated_weight = coalesce(r.stated_weight, excluded.stated_weight),
            by_hand = r.by_hand OR excluded.by_hand;

    UPDATE pg_temp.pgrag_import_relations i SET relation_id = r.id
      FROM pgrag.relation r
     WHERE r.workspace_id = import_relations.workspace_id
       AND least(r.source_id, r.target_id) = least(i.source_id, i.target_id)
       AND greatest(r.source_id, r.target_id) = greatest(i.source_id, i.target_id);

    WITH placed AS (
        SELECT i.relation_id, v.chunk_id, coalesce(btrim(v.source), btrim(i.source)) AS source,
               coalesce(btrim(v.target), btrim(i.target)) AS target, coalesce(v.keywords, '{}') AS keywords, v.weight,
               v.description, row_number() OVER (PARTITION BY i.relation_id ORDER BY v.line, v.place) - 1 AS ordinal
          FROM pg_temp.pgrag_import_relations i
          JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = i.line
    )
    INSERT INTO pgrag.relation_evidence
           (workspace_id, chunk_id, source_key, target_key, relation_id, ordinal, source, target, keywords, weight, description, stated_order)
    SELECT import_relations.workspace_id, c.id, a.name_key, b.name_key, p.relation_id, min(p.ordinal),
           (array_agg(p.source ORDER BY p.ordinal))[1], (array_agg(p.target ORDER BY p.ordinal))[1],
           CASE WHEN count(*) > 1 THEN pgrag.unite_keywords(jsonb_agg(to_jsonb(p.keywords))) ELSE max(p.keywords) END,
           max(p.weight),
           CASE WHEN count(*) > 1 THEN pgrag.join_fragments(array_agg(p.description ORDER BY p.ordinal))
                ELSE max(p.description) END,
           min(p.ordinal)
      FROM placed p
      JOIN pgrag.chunk c ON c.workspace_id = import_relations.workspace_id AND c.chunk_key = p.chunk_id
      JOIN pgrag.relation r ON r.workspace_id = import_relations.workspace_id AND r.id = p.relation_id
      JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
      JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
     GROUP BY p.relation_id, a.name_key, b.name_key, c.id;
END $$;
COMMENT ON FUNCTION pgrag.import_relations(bigint) IS
    'Stores the relations of an import and their evidence; fills in the ids.';
