-- Stores the relations of an import, and fills in the ids. What is stated of a pair that is there already is added to what
-- was stated before; a new one is written as its line gives it, as import_entities does. The ends must be there
-- (import_entities), self-loops gone. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_relations(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO pgrag.relation AS r
           (workspace_id, source_id, target_id, keywords, description, description_source, weight, stated_keywords,
            stated_description, stated_weight, by_hand, edited_keywords, edited_description, edited_weight, summary_of,
            unsummarized, stale, token_count)
    SELECT import_relations.workspace_id, s.source_id, s.target_id, i.keywords, i.description, l.source, i.weight,
           coalesce(x.stated_keywords, s.keywords), coalesce(x.stated_description, s.description),
           CASE WHEN i.stored IS NULL THEN s.weight ELSE x.stated_weight END,
           CASE WHEN i.stored IS NULL THEN s.by_hand ELSE coalesce(x.by_hand, false) END,
           x.edited_keywords, x.edited_description, x.edited_weight, x.summary_of,
           l.source IN ('joined', 'imported') AND pgrag.may_need_summary(i.description),
           s.lines <> 1 OR i.embedding IS NULL OR coalesce(x.stale, false),
           coalesce(i.token_count, octet_length(pgrag.relation_line(i.source, i.target, i.description)) + 1)
      FROM pgrag.stated_relations() s
      JOIN pg_temp.pgrag_import_relations i ON i.line = s.line
           CROSS JOIN LATERAL jsonb_populate_record(NULL::pgrag.relation, i.stored) x
           CROSS JOIN LATERAL (SELECT coalesce(i.description_source, 'imported') AS source) l
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
END $$;
COMMENT ON FUNCTION pgrag.import_relations(bigint) IS
    'Stores the relations of an import, and fills in the ids.';
