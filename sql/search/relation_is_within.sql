-- Whether a relation has evidence in a document whose metadata contains `filter`; NULL for a NULL argument.
CREATE OR REPLACE FUNCTION pgrag.relation_is_within(workspace_id bigint, relation_id bigint, filter jsonb)
RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE COST 2000
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT FROM pgrag.relation_evidence v
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = relation_is_within.workspace_id AND v.relation_id = relation_is_within.relation_id
           AND d.metadata @> relation_is_within.filter);
END;
COMMENT ON FUNCTION pgrag.relation_is_within(bigint, bigint, jsonb) IS
    'Whether a relation has evidence in a document whose metadata contains filter.';
