-- Stores the documents and chunks of an import, and fills in the ids of the chunks. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_documents(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO pgrag.document
           (workspace_id, document_key, file_path, source_path, content, content_hash, metadata, status, ready_at)
    SELECT import_documents.workspace_id, i.id, i.file_path, i.source_path, i.content,
           encode(sha256(convert_to(i.content, 'UTF8')), 'hex'), coalesce(i.metadata, '{}'), 'ready', now()
      FROM pg_temp.pgrag_import_documents i
     ORDER BY i.line;
    INSERT INTO pgrag.chunk (workspace_id, document_id, chunk_key, chunk_index, content, token_count, metadata)
    SELECT import_documents.workspace_id, d.id, CASE WHEN i.local_id THEN NULL ELSE i.id END, i.chunk_index, i.content,
           i.token_count, coalesce(i.metadata, '{}')
      FROM pg_temp.pgrag_import_chunks i
      JOIN pgrag.document d ON d.workspace_id = import_documents.workspace_id AND d.document_key = i.document_id
     ORDER BY i.line;
    UPDATE pg_temp.pgrag_import_chunks i SET stored_id = c.id
      FROM pgrag.document d
      JOIN pgrag.chunk c ON c.workspace_id = d.workspace_id AND c.document_id = d.id
     WHERE d.workspace_id = import_documents.workspace_id AND d.document_key = i.document_id
       AND c.chunk_index = i.chunk_index;
END $$;
COMMENT ON FUNCTION pgrag.import_documents(bigint) IS
    'Stores the documents and chunks of an import, and fills in the ids of the chunks.';
