-- Whether a chunk is of a document whose metadata contains `filter`; NULL for a NULL argument.
CREATE OR REPLACE FUNCTION pgrag.chunk_is_within(workspace_id bigint, chunk_id bigint, filter jsonb)
RETURNS boolean
LANGUAGE sql STABLE STRICT PARALLEL SAFE COST 2000
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT FROM pgrag.chunk c
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE c.workspace_id = chunk_is_within.workspace_id AND c.id = chunk_is_within.chunk_id
           AND d.metadata @> chunk_is_within.filter);
END;
COMMENT ON FUNCTION pgrag.chunk_is_within(bigint, bigint, jsonb) IS
    'Whether a chunk is of a document whose metadata contains filter.';
