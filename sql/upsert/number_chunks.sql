-- The rows with the chunk_index of their chunk_id, in the order given: what add_entity_evidence and add_relation_evidence take.
CREATE OR REPLACE FUNCTION pgrag.number_chunks(workspace_id bigint, records jsonb)
RETURNS jsonb
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(jsonb_agg((r.record - 'stated_order') || jsonb_build_object('chunk_index', c.chunk_index)
                              ORDER BY r.ordinal), '[]')
      FROM jsonb_array_elements(number_chunks.records) WITH ORDINALITY AS r(record, ordinal)
      LEFT JOIN pgrag.chunk c ON c.workspace_id = number_chunks.workspace_id AND c.id = (r.record ->> 'chunk_id')::bigint;
END;
COMMENT ON FUNCTION pgrag.number_chunks(bigint, jsonb) IS
    'The rows with the chunk_index of their chunk_id, in the order given.';
