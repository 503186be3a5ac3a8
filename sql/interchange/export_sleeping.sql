-- The lines of sleeping.jsonl: evidence of relations whose names have come to mean one entity, by document (COLLATE "C"),
-- place, and the keys of source and target. embedding is always NULL. Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_sleeping(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET extra_float_digits = 1
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_sleeping.workspace);
BEGIN
    RETURN QUERY
    SELECT json_strip_nulls(row_to_json(l))::text, NULL::bytea
      FROM pgrag.relation_evidence v
      JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
      JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
           CROSS JOIN LATERAL (
               SELECT pgrag.exported_chunk_id(c.chunk_key, d.document_key, c.chunk_index) AS chunk_id, v.source, v.target,
                      v.keywords, v.weight, v.description, v.ordinal, v.stated_order, v.source_key, v.target_key) l
     WHERE v.workspace_id = home AND v.relation_id IS NULL
     ORDER BY d.document_key COLLATE "C", c.chunk_index, v.source_key COLLATE "C", v.target_key COLLATE "C";
END $$;
COMMENT ON FUNCTION pgrag.export_sleeping(text) IS
    'The lines of sleeping.jsonl: evidence of relations whose names have come to mean one entity.';
