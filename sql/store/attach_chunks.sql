-- The records of model replies with the chunk_id in the place of the chunk_index of a document's chunks: rows for
-- add_entity_evidence and add_relation_evidence, in the order given.
CREATE OR REPLACE FUNCTION pgrag.attach_chunks(workspace_id bigint, document_id bigint, records jsonb)
RETURNS jsonb
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(jsonb_agg(r.record || jsonb_build_object('chunk_id', c.id) ORDER BY r.ordinal), '[]')
      FROM jsonb_array_elements(attach_chunks.records) WITH ORDINALITY AS r(record, ordinal)
      JOIN pgrag.chunk c ON c.workspace_id = attach_chunks.workspace_id
                        AND c.document_id = attach_chunks.document_id
                        AND c.chunk_index = (r.record ->> 'chunk_index')::int;
END;
COMMENT ON FUNCTION pgrag.attach_chunks(bigint, bigint, jsonb) IS
    'The records of model replies with the chunk_id of a document''s chunks.';
