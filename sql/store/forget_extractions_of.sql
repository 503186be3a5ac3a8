-- Forgets what models replied about the chunks of a document, except where another document of the workspace has a chunk
-- of the same text: how many replies. Called before the document goes.
CREATE OR REPLACE FUNCTION pgrag.forget_extractions_of(workspace_id bigint, document_id bigint)
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH own AS (
        SELECT DISTINCT c.content FROM pgrag.chunk c
         WHERE c.workspace_id = forget_extractions_of.workspace_id
           AND c.document_id = forget_extractions_of.document_id
    ), gone AS (
        DELETE FROM pgrag.extraction x
         USING own
         WHERE x.workspace_id = forget_extractions_of.workspace_id
           AND x.content_hash = encode(sha256(convert_to(own.content, 'UTF8')), 'hex')
           AND NOT EXISTS (SELECT FROM pgrag.chunk other
                            WHERE other.workspace_id = forget_extractions_of.workspace_id
                              AND other.document_id <> forget_extractions_of.document_id
                              AND other.content = own.content)
        RETURNING x.content_hash
    )
    SELECT count(*) FROM gone;
END;
COMMENT ON FUNCTION pgrag.forget_extractions_of(bigint, bigint) IS
    'Forgets what models replied about the chunks of a document, except for chunks that another document has as well.';
