-- Takes what was stated or edited of the relations of an entity off them: a list for entity_alias.kept, by the names of the
-- ends; NULL when there is nothing.
CREATE OR REPLACE FUNCTION pgrag.take_statements(workspace_id bigint, entity_id bigint)
RETURNS jsonb
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH stated AS (
        SELECT r.*, a.name_key AS source_key, b.name_key AS target_key, a.name AS source, b.name AS target
          FROM pgrag.relation r
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
         WHERE r.workspace_id = take_statements.workspace_id
           AND r.id = ANY (pgrag.relations_of(take_statements.workspace_id, ARRAY[take_statements.entity_id]))
           AND (r.by_hand OR num_nonnulls(r.stated_keywords, r.stated_description, r.stated_weight, r.edited_keywords,
                                          r.edited_description, r.edited_weight) > 0)
    ), taken AS (
        UPDATE pgrag.relation r
           SET by_hand = false, stated_keywords = NULL, stated_description = NULL, stated_weight = NULL,
               edited_keywords = NULL, edited_description = NULL, edited_weight = NULL
          FROM stated s
         WHERE r.workspace_id = s.workspace_id AND r.id = s.id
    )
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
               'source_key', s.source_key, 'target_key', s.target_key, 'source', s.source, 'target', s.target,
               'by_hand', nullif(s.by_hand, false), 'stated_keywords', s.stated_keywords,
               'stated_description', s.stated_description, 'stated_weight', s.stated_weight,
               'edited_keywords', s.edited_keywords, 'edited_description', s.edited_description,
               'edited_weight', s.edited_weight)) ORDER BY s.source_key COLLATE "C", s.target_key COLLATE "C")
      FROM stated s;
END;
COMMENT ON FUNCTION pgrag.take_statements(bigint, bigint) IS
    'Takes what was stated or edited of the relations of an entity off them: a list for entity_alias.kept.';
