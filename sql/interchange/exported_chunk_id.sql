-- The id of a chunk within an export: the one that an import gave it, or else one made of its document and place.
CREATE OR REPLACE FUNCTION pgrag.exported_chunk_id(chunk_key text, document_key text, chunk_index int)
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(exported_chunk_id.chunk_key,
                    'chunk-' || md5(exported_chunk_id.document_key || '#' || exported_chunk_id.chunk_index));
END;
COMMENT ON FUNCTION pgrag.exported_chunk_id(text, text, int) IS
    'The id of a chunk within an export: the one that an import gave it, or else one made of its document and place.';
