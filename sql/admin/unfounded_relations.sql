-- Relations with neither evidence nor a hand that made them: one row for each workspace that has any, with their ids.
CREATE OR REPLACE FUNCTION pgrag.unfounded_relations()
RETURNS TABLE (workspace_id bigint, relation_ids bigint[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT r.workspace_id, array_agg(r.id)
      FROM pgrag.relation r
     WHERE NOT r.by_hand
       AND NOT EXISTS (SELECT FROM pgrag.relation_evidence v WHERE v.workspace_id = r.workspace_id AND v.relation_id = r.id)
       AND NOT EXISTS (SELECT FROM pgrag.kept_relations(r.workspace_id) k WHERE k.relation_id = r.id AND k.by_hand)
     GROUP BY r.workspace_id;
END;
COMMENT ON FUNCTION pgrag.unfounded_relations() IS
    'Relations with neither evidence nor a hand that made them: one row for each workspace that has any, with their ids.';
