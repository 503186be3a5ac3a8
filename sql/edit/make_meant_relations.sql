-- Makes the relations that evidence means and that are not there: of the evidence of the given relations, and of what sleeps
-- at the given names; and the kept ones that were made by hand. The ends must be there (make_meant_entities). Nothing is
-- returned; settle derives the rest.
CREATE OR REPLACE FUNCTION pgrag.make_meant_relations(workspace_id bigint, relation_ids bigint[], name_keys text[])
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH meant AS (
        SELECT v.source_means, v.target_means
          FROM pgrag.evidence_at(make_meant_relations.workspace_id, make_meant_relations.relation_ids,
                                 make_meant_relations.name_keys) v
        UNION ALL
        SELECT k.source_means, k.target_means FROM pgrag.kept_relations(make_meant_relations.workspace_id) k WHERE k.by_hand
    )
    INSERT INTO pgrag.relation (workspace_id, source_id, target_id)
    SELECT DISTINCT ON (least(a.id, b.id), greatest(a.id, b.id)) make_meant_relations.workspace_id, a.id, b.id
      FROM meant m
      JOIN pgrag.entity a ON a.workspace_id = make_meant_relations.workspace_id AND a.name_key = m.source_means
      JOIN pgrag.entity b ON b.workspace_id = make_meant_relations.workspace_id AND b.name_key = m.target_means
     WHERE a.id <> b.id
     ORDER BY least(a.id, b.id), greatest(a.id, b.id)
    ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id)) DO NOTHING;
END;
COMMENT ON FUNCTION pgrag.make_meant_relations(bigint, bigint[], text[]) IS
    'Makes the relations that evidence means and that are not there.';
