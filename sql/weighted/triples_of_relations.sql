-- Relations as triples (triple_text), in their order: a JSON list.
CREATE OR REPLACE FUNCTION pgrag.triples_of_relations(workspace_id bigint, relation_ids bigint[])
RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(jsonb_agg(pgrag.triple_text(s.name, r.keywords, t.name) ORDER BY h.place), '[]')
      FROM unnest(triples_of_relations.relation_ids) WITH ORDINALITY AS h (id, place)
      JOIN pgrag.relation r ON r.workspace_id = triples_of_relations.workspace_id AND r.id = h.id
      JOIN pgrag.entity s ON s.workspace_id = triples_of_relations.workspace_id AND s.id = r.source_id
      JOIN pgrag.entity t ON t.workspace_id = triples_of_relations.workspace_id AND t.id = r.target_id;
END;
COMMENT ON FUNCTION pgrag.triples_of_relations(bigint, bigint[]) IS
    'Relations as triples, in their order: a JSON list.';
