-- The lines of entities.jsonl, by name key (COLLATE "C"), each with its embedding (vector_bytes), NULL where there is none.
-- `stored` has the columns that evidence does not tell; a key where the name does not lead to it; the hash of the text that
-- was embedded where it is not the present one. Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_entities(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_entities.workspace);
BEGIN
    RETURN QUERY
    SELECT row_to_json(l)::text, pgrag.vector_bytes(v.embedding)
      FROM pgrag.entity e
      LEFT JOIN pgrag.entity_embedding v ON v.workspace_id = e.workspace_id AND v.entity_id = e.id
           CROSS JOIN LATERAL (
               SELECT e.token_count, e.stale, e.unsummarized, nullif(e.by_hand, false) AS by_hand, e.stated_type,
                      e.stated_description, e.edited_name, e.edited_type, e.edited_description, e.summary_of,
                      nullif(e.name_key, pgrag.resolve_key(e.workspace_id, e.name)) AS key,
                      nullif(v.text_hash, md5(pgrag.entity_text(e.name, e.description))) AS text_hash) s
           CROSS JOIN LATERAL (
               SELECT e.name, e.type, e.description, e.description_source,
                      pgrag.pieces_of_entity(e.workspace_id, e.id, e.name_key) AS evidence,
                      json_strip_nulls(row_to_json(s)) AS stored) l
     WHERE e.workspace_id = home
     ORDER BY e.name_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_entities(text) IS
    'The lines of entities.jsonl, by name key, each with its embedding.';
