-- The entities and relations that a document gives evidence of: one row with their ids, no promised order.
CREATE OR REPLACE FUNCTION pgrag.items_of_document(workspace_id bigint, document_id bigint)
RETURNS TABLE (entity_ids bigint[], relation_ids bigint[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce((SELECT array_agg(DISTINCT v.entity_id)
                       FROM pgrag.chunk c
                       JOIN pgrag.entity_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
                      WHERE c.workspace_id = items_of_document.workspace_id
                        AND c.document_id = items_of_document.document_id), '{}'),
           coalesce((SELECT array_agg(DISTINCT v.relation_id)
                       FROM pgrag.chunk c
                       JOIN pgrag.relation_evidence v ON v.workspace_id = c.workspace_id AND v.chunk_id = c.id
                      WHERE c.workspace_id = items_of_document.workspace_id AND v.relation_id IS NOT NULL
                        AND c.document_id = items_of_document.document_id), '{}');
END;
COMMENT ON FUNCTION pgrag.items_of_document(bigint, bigint) IS
    'The entities and relations that a document gives evidence of: one row with their ids.';
