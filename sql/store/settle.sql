-- Brings entities and relations in step with their evidence, after evidence came or went: drops those that have none left
-- (unless made by hand, or merged with one that was), and with them what was kept of what was merged into them; derives the
-- others, and the relations of renamed entities. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.settle(workspace_id bigint, entity_ids bigint[], relation_ids bigint[])
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gone    bigint[];
    renamed bigint[];
    follow  bigint[];
BEGIN
    SELECT array_agg(r.id) INTO gone
      FROM pgrag.relation r
     WHERE r.workspace_id = settle.workspace_id AND r.id = ANY (settle.relation_ids) AND NOT r.by_hand
       AND NOT EXISTS (SELECT FROM pgrag.relation_evidence v
                        WHERE v.workspace_id = r.workspace_id AND v.relation_id = r.id)
       AND NOT EXISTS (SELECT FROM pgrag.statements_of_relations(settle.workspace_id, settle.relation_ids) s
                        WHERE s.relation_id = r.id AND s.by_hand);
    IF gone IS NOT NULL THEN
        PERFORM pgrag.forget_statements(settle.workspace_id, gone);
        DELETE FROM pgrag.relation r WHERE r.workspace_id = settle.workspace_id AND r.id = ANY (gone);
    END IF;
    PERFORM pgrag.drop_unheard(settle.workspace_id, settle.entity_ids);
    renamed := pgrag.derive_entities(settle.workspace_id, settle.entity_ids);
    -- In the order in which others lock relations: who renames the other ends comes for them too.
    follow := ARRAY(SELECT r.id FROM pgrag.relation r
                     WHERE r.workspace_id = settle.workspace_id
                       AND (r.source_id = ANY (renamed) OR r.target_id = ANY (renamed))
                     ORDER BY least(r.source_id, r.target_id), greatest(r.source_id, r.target_id) FOR NO KEY UPDATE);
    UPDATE pgrag.relation r SET token_count = 0 WHERE r.workspace_id = settle.workspace_id AND r.id = ANY (follow);
    PERFORM pgrag.derive_relations(settle.workspace_id, settle.relation_ids || follow);
END $$;
COMMENT ON FUNCTION pgrag.settle(bigint, bigint[], bigint[]) IS
    'Brings entities and relations in step with their evidence, after evidence came or went.';
