-- Chunks as retrieve shows them, in the order of chunk_ids: item {content, document_id, file_path, chunk_index,
-- metadata?}, where document_id is the caller's id and metadata says where the chunk stands (section, page, last_page …;
-- left out where it is empty), the tokens of content, and the cosine distance (0..2) to query_embedding; NULL without one,
-- and for a chunk that has no vector yet.
CREATE OR REPLACE FUNCTION pgrag.chunk_items(workspace_id bigint, chunk_ids bigint[], query_embedding vector DEFAULT NULL)
RETURNS TABLE (ordinal int, id bigint, item jsonb, token_count int, distance float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT h.place::int, c.id,
           jsonb_build_object('content', c.content, 'document_id', d.document_key,
                              'file_path', d.file_path, 'chunk_index', c.chunk_index)
               || CASE WHEN c.metadata = '{}' THEN '{}' ELSE jsonb_build_object('metadata', c.metadata) END,
           c.token_count, x.embedding <=> (SELECT chunk_items.query_embedding::halfvec)
      FROM unnest(chunk_items.chunk_ids) WITH ORDINALITY AS h (id, place)
      JOIN pgrag.chunk c ON c.workspace_id = chunk_items.workspace_id AND c.id = h.id
      JOIN pgrag.document d ON d.workspace_id = chunk_items.workspace_id AND d.id = c.document_id
      LEFT JOIN pgrag.chunk_embedding x ON x.workspace_id = chunk_items.workspace_id AND x.chunk_id = h.id
     ORDER BY h.place;
END;
COMMENT ON FUNCTION pgrag.chunk_items(bigint, bigint[], vector) IS
    'Chunks as retrieve shows them, in the order of chunk_ids: item {content, document_id, file_path, chunk_index, metadata?}.';
