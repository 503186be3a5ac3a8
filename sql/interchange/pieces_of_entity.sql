-- The evidence of an entity as the list of its line in an export, in the order that its description is derived in. A piece
-- states its key where it is not the entity's own.
CREATE OR REPLACE FUNCTION pgrag.pieces_of_entity(workspace_id bigint, entity_id bigint, name_key text)
RETURNS json
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(json_agg(json_strip_nulls(row_to_json(p))
                             ORDER BY v.stated_order, d.document_key COLLATE "C", c.chunk_index, v.ordinal,
                                      v.name_key COLLATE "C"), '[]')
      FROM pgrag.entity_evidence v
      JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
      JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
           CROSS JOIN LATERAL (
               SELECT pgrag.exported_chunk_id(c.chunk_key, d.document_key, c.chunk_index) AS chunk_id, v.name, v.type,
                      v.description, nullif(v.kind, 'described') AS kind, v.ordinal, v.stated_order,
                      nullif(v.name_key, pieces_of_entity.name_key) AS key) p
     WHERE v.workspace_id = pieces_of_entity.workspace_id AND v.entity_id = pieces_of_entity.entity_id;
END;
COMMENT ON FUNCTION pgrag.pieces_of_entity(bigint, bigint, text) IS
    'The evidence of an entity as the list of its line in an export, in the order that its description is derived in.';
