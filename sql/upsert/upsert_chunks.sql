-- Stores chunks of a document, by chunk_index: their ids, in the order of chunk_index. In: [{"chunk_index", "content",
-- "token_count"?, "metadata"?}], and one embedding for each in the same order (or NULL, also in single places). A chunk whose
-- text is the same keeps its id and its evidence; what was said of another text goes, with its embedding. Chunks that are not
-- named stay. Errors: RG001 for a row without chunk_index or content, one given twice, or embeddings that are not one for
-- each; RG003 for dimensions that are not the database's; RG006 for an unknown document.
CREATE OR REPLACE FUNCTION pgrag.upsert_chunks(
    workspace text, document text, chunks jsonb, embeddings vector[] DEFAULT NULL)
RETURNS TABLE (chunk_index int, id bigint)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    in_workspace bigint := pgrag.workspace_id(upsert_chunks.workspace);
    in_document  bigint := pgrag.require_document(in_workspace, upsert_chunks.document);
    said         record;
BEGIN
    PERFORM pgrag.require_chunks(upsert_chunks.chunks, upsert_chunks.embeddings);
    PERFORM pgrag.lock_names(in_workspace);
    SELECT * INTO said FROM pgrag.forget_chunks(in_workspace, in_document, upsert_chunks.chunks);
    PERFORM FROM pgrag.entity e
      WHERE e.workspace_id = in_workspace AND e.id = ANY (said.entity_ids)
      ORDER BY e.name_key COLLATE "C" FOR NO KEY UPDATE;
    PERFORM pgrag.store_chunks(in_workspace, in_document, upsert_chunks.chunks, upsert_chunks.embeddings);
    PERFORM pgrag.settle(in_workspace, said.entity_ids, said.relation_ids);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN QUERY
    SELECT c.chunk_index, c.id FROM pgrag.chunk c
     WHERE c.workspace_id = in_workspace AND c.document_id = in_document
       AND c.chunk_index IN (SELECT g.chunk_index FROM jsonb_to_recordset(upsert_chunks.chunks) AS g(chunk_index int))
     ORDER BY c.chunk_index;
END $$;
COMMENT ON FUNCTION pgrag.upsert_chunks(text, text, jsonb, vector[]) IS
    'Stores chunks of a document, by chunk_index: their ids, in the order of chunk_index.';
