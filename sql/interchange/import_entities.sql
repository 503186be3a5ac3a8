-- Stores the entities of an import, the undescribed ends of its relations included, and fills in the ids. What is stated of
-- an entity that is there already is added to what was stated before. A new one is written as its line gives it, as if
-- embedded where it comes with an embedding: most lines are right, and derive_entities writes those anew that their evidence
-- does not bear out. Rows are locked in key order. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_entities(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.entity AS e
           (workspace_id, name, name_key, type, description, description_source, stated_type, stated_description, by_hand,
            edited_name, edited_type, edited_description, summary_of, unsummarized, stale, token_count)
    SELECT import_entities.workspace_id, s.name, s.key, l.type, l.description, l.source,
           coalesce(x.stated_type, s.type), coalesce(x.stated_description, s.description),
           CASE WHEN i.stored IS NULL THEN s.by_hand ELSE coalesce(x.by_hand, false) END,
           x.edited_name, x.edited_type, x.edited_description, x.summary_of,
           l.source IN ('joined', 'imported') AND pgrag.may_need_summary(l.description),
           s.lines <> 1 OR i.embedding IS NULL OR coalesce(x.stale, false),
           coalesce(i.token_count, octet_length(pgrag.entity_line(s.name, l.type, l.description)) + 1)
      FROM pgrag.stated_entities(import_entities.workspace_id) s
      LEFT JOIN pg_temp.pgrag_import_entities i ON i.line = s.line
           CROSS JOIN LATERAL jsonb_populate_record(NULL::pgrag.entity, i.stored) x
           CROSS JOIN LATERAL (SELECT coalesce(i.type, 'UNKNOWN') AS type, coalesce(i.description, '') AS description,
                                      coalesce(i.description_source, 'imported') AS source) l
     ORDER BY s.key COLLATE "C"
    ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO UPDATE
        SET stated_type = coalesce(e.stated_type, excluded.stated_type),
            stated_description = CASE WHEN e.stated_description IS NULL THEN excluded.stated_description
                                      WHEN excluded.stated_description IS NULL THEN e.stated_description
                                      ELSE pgrag.join_fragments(ARRAY[e.stated_description, excluded.stated_description]) END,
            by_hand = e.by_hand OR excluded.by_hand;

    UPDATE pg_temp.pgrag_import_entities i SET entity_id = e.id
      FROM pgrag.entity e WHERE e.workspace_id = import_entities.workspace_id AND e.name_key = i.key;
    UPDATE pg_temp.pgrag_import_relations i SET source_id = a.id, target_id = b.id
      FROM pgrag.entity a, pgrag.entity b
     WHERE a.workspace_id = import_entities.workspace_id AND a.name_key = i.source_key
       AND b.workspace_id = import_entities.workspace_id AND b.name_key = i.target_key;
END $$;
COMMENT ON FUNCTION pgrag.import_entities(bigint) IS
    'Stores the entities of an import, the undescribed ends of its relations included.';
