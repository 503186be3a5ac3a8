-- Whether an entity has evidence in a document whose metadata contains `filter`; NULL for a NULL argument.
CREATE OR REPLACE FUNCTION pgrag.entity_is_within(workspace_id bigint, entity_id bigint, filter jsonb)
RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE COST 2000
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT FROM pgrag.entity_evidence v
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = entity_is_within.workspace_id AND v.entity_id = entity_is_within.entity_id
           AND d.metadata @> entity_is_within.filter);
END;
COMMENT ON FUNCTION pgrag.entity_is_within(bigint, bigint, jsonb) IS
    'Whether an entity has evidence in a document whose metadata contains filter.';
