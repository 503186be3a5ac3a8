-- Writes descriptions that an import says to be summaries or made by hand as they were given: they are no fragments to be
-- joined with the evidence. A summary is one of what the evidence gives, and stays as long as that does. What was made by
-- hand is given whole: type, keywords and weight, too. What an export stored needs none of this. Comes after settle. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.keep_given(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE pgrag.entity e
       SET description = i.description, description_source = i.description_source,
           type = CASE i.description_source WHEN 'manual' THEN i.type ELSE e.type END,
           edited_type = CASE i.description_source WHEN 'manual' THEN i.type END,
           edited_description = CASE i.description_source WHEN 'manual' THEN i.description END,
           summary_of = CASE i.description_source WHEN 'summarized' THEN md5(e.description) END,
           unsummarized = false, stale = true, updated_at = now(),
           token_count = octet_length(pgrag.entity_line(
               e.name, CASE i.description_source WHEN 'manual' THEN i.type ELSE e.type END, i.description)) + 1
      FROM pg_temp.pgrag_import_entities i
     WHERE e.workspace_id = keep_given.workspace_id AND e.id = i.entity_id AND i.stored IS NULL
       AND i.description_source IN ('summarized', 'manual');
    UPDATE pgrag.relation r
       SET description = i.description, description_source = i.description_source,
           keywords = CASE i.description_source WHEN 'manual' THEN given.keywords ELSE r.keywords END,
           weight = CASE i.description_source WHEN 'manual' THEN i.weight ELSE r.weight END,
           edited_keywords = CASE i.description_source WHEN 'manual' THEN given.keywords END,
           edited_weight = CASE i.description_source WHEN 'manual' THEN i.weight END,
           edited_description = CASE i.description_source WHEN 'manual' THEN i.description END,
           summary_of = CASE i.description_source WHEN 'summarized' THEN md5(r.description) END,
           unsummarized = false, stale = true, updated_at = now(),
           token_count = octet_length(pgrag.relation_line(a.name, b.name, i.description)) + 1
      FROM pg_temp.pgrag_import_relations i
           CROSS JOIN LATERAL (SELECT pgrag.unite_keywords(jsonb_build_array(i.keywords)) AS keywords) given,
           pgrag.entity a, pgrag.entity b
     WHERE r.workspace_id = keep_given.workspace_id AND r.id = i.relation_id AND i.stored IS NULL
       AND i.description_source IN ('summarized', 'manual')
       AND a.workspace_id = r.workspace_id AND a.id = r.source_id
       AND b.workspace_id = r.workspace_id AND b.id = r.target_id;
END $$;
COMMENT ON FUNCTION pgrag.keep_given(bigint) IS
    'Writes descriptions that an import says to be summaries or made by hand as they were given.';
