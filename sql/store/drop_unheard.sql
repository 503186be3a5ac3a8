-- Drops those of the given entities that nothing speaks of any more: no evidence, no relation, no hand that made them or one
-- that was merged into them. What their aliases kept of those merged into them is forgotten; the aliases stay. Nothing is
-- returned.
CREATE OR REPLACE FUNCTION pgrag.drop_unheard(workspace_id bigint, entity_ids bigint[])
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH gone AS (
        DELETE FROM pgrag.entity e
         WHERE e.workspace_id = drop_unheard.workspace_id AND e.id = ANY (drop_unheard.entity_ids) AND NOT e.by_hand
           AND NOT EXISTS (SELECT FROM pgrag.entity_evidence v
                            WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id)
           AND NOT EXISTS (SELECT FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.source_id = e.id)
           AND NOT EXISTS (SELECT FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.target_id = e.id)
           AND NOT EXISTS (SELECT FROM pgrag.entity_alias m
                            WHERE m.workspace_id = e.workspace_id AND m.canonical_key = e.name_key
                              AND m.kept @> '{"by_hand": true}')
        RETURNING e.name_key
    )
    UPDATE pgrag.entity_alias m
       SET kept = m.kept - '{stated_type,stated_description,edited_name,edited_type,edited_description}'::text[]
      FROM gone g
     WHERE m.workspace_id = drop_unheard.workspace_id AND m.canonical_key = g.name_key AND m.kept ? 'name';
END;
COMMENT ON FUNCTION pgrag.drop_unheard(bigint, bigint[]) IS
    'Drops those of the given entities that nothing speaks of any more.';
