-- The lines of relations.jsonl, by the keys of source and target (COLLATE "C"), each with its embedding (vector_bytes), NULL
-- where there is none. `stored` has the columns that evidence does not tell, as in export_entities. Error RG002 for an
-- unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_relations(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_relations.workspace);
BEGIN
    RETURN QUERY
    SELECT row_to_json(l)::text, pgrag.vector_bytes(v.embedding)
      FROM pgrag.relation r
      JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
      JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
      LEFT JOIN pgrag.relation_embedding v ON v.workspace_id = r.workspace_id AND v.relation_id = r.id
           CROSS JOIN LATERAL (
               SELECT r.token_count, r.stale, r.unsummarized, nullif(r.by_hand, false) AS by_hand, r.stated_keywords,
                      r.stated_description, r.stated_weight, r.edited_keywords, r.edited_description, r.edited_weight,
                      r.summary_of,
                      nullif(a.name_key, pgrag.resolve_key(r.workspace_id, a.name)) AS source_key,
                      nullif(b.name_key, pgrag.resolve_key(r.workspace_id, b.name)) AS target_key,
                      nullif(v.text_hash, md5(pgrag.relation_text(r.keywords, a.name, b.name, r.description))) AS text_hash) s
           CROSS JOIN LATERAL (
               SELECT a.name AS source, b.name AS target, r.keywords, r.description, r.description_source, r.weight,
                      pgrag.pieces_of_relation(r.workspace_id, r.id, a.name_key, b.name_key) AS evidence,
                      json_strip_nulls(row_to_json(s)) AS stored) l
     WHERE r.workspace_id = home
     ORDER BY a.name_key COLLATE "C", b.name_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_relations(text) IS
    'The lines of relations.jsonl, by the keys of source and target, each with its embedding.';
