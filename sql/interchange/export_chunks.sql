-- The lines of chunks.jsonl, by document (COLLATE "C") and place, each with its embedding (vector_bytes), NULL where there is
-- none. A chunk of our own gets an id for the folder alone (local_id). Error RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.export_chunks(workspace text)
RETURNS TABLE (line text, embedding bytea)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    home bigint := pgrag.workspace_id(export_chunks.workspace);
BEGIN
    RETURN QUERY
    SELECT row_to_json(l)::text, pgrag.vector_bytes(v.embedding)
      FROM pgrag.chunk c
      JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
      LEFT JOIN pgrag.chunk_embedding v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
           CROSS JOIN LATERAL (
               SELECT pgrag.exported_chunk_id(c.chunk_key, d.document_key, c.chunk_index) AS id,
                      c.chunk_key IS NULL AS local_id, d.document_key AS document_id, c.chunk_index, c.content,
                      c.token_count, c.metadata) l
     WHERE c.workspace_id = home AND d.status = 'ready'
     ORDER BY d.document_key COLLATE "C", c.chunk_index;
END $$;
COMMENT ON FUNCTION pgrag.export_chunks(text) IS
    'The lines of chunks.jsonl, by document and place, each with its embedding.';
