-- The evidence of a relation as the list of its line in an export, in the order that its description is derived in. A piece
-- states its keys where they are not those of the ends.
CREATE OR REPLACE FUNCTION pgrag.pieces_of_relation(workspace_id bigint, relation_id bigint, source_key text, target_key text)
RETURNS json
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT coalesce(json_agg(json_strip_nulls(row_to_json(p))
                             ORDER BY v.stated_order, d.document_key COLLATE "C", c.chunk_index, v.ordinal,
                                      v.source_key COLLATE "C", v.target_key COLLATE "C"), '[]')
      FROM pgrag.relation_evidence v
      JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
      JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
           CROSS JOIN LATERAL (
               SELECT pgrag.exported_chunk_id(c.chunk_key, d.document_key, c.chunk_index) AS chunk_id, v.source, v.target,
                      v.keywords, v.weight, v.description, v.ordinal, v.stated_order,
                      nullif(v.source_key, pieces_of_relation.source_key) AS source_key,
                      nullif(v.target_key, pieces_of_relation.target_key) AS target_key) p
     WHERE v.workspace_id = pieces_of_relation.workspace_id AND v.relation_id = pieces_of_relation.relation_id;
END;
COMMENT ON FUNCTION pgrag.pieces_of_relation(bigint, bigint, text, text) IS
    'The evidence of a relation as the list of its line in an export, in the order that its description is derived in.';
