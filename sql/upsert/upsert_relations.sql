-- Stores what chunks say of relations, for those who bring their own extraction, and the relations and their ends where they are
-- new: for each row its place from 1 and the id of the relation, NULL where both names mean one entity. In: [{"source",
-- "target", "keywords"?, "weight"?, "description"?, "chunk_id"?}]. A row with a chunk_id (of upsert_chunks) is evidence, and goes
-- with its chunk; the same chunk and names again replace it. A row without one is stated as by create_relation, and stays. Names
-- go through aliases. What changed is stale: refresh_pending, store_refreshed. Error RG001 with the first row that cannot be
-- taken; then nothing has happened.
CREATE OR REPLACE FUNCTION pgrag.upsert_relations(workspace text, relations jsonb)
RETURNS TABLE (ordinal int, id bigint)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    in_workspace bigint := pgrag.workspace_id(upsert_relations.workspace);
    rows         jsonb;
    entity_ids   bigint[];
    relation_ids bigint[];
BEGIN
    PERFORM pgrag.require_records(in_workspace, 'relations', upsert_relations.relations, '{source,target}');
    PERFORM pgrag.lock_names(in_workspace);
    PERFORM pgrag.expect_many(jsonb_array_length(upsert_relations.relations));
    rows := pgrag.number_chunks(in_workspace, upsert_relations.relations);
    entity_ids := pgrag.add_entity_evidence(in_workspace, '[]', rows);
    relation_ids := pgrag.add_relation_evidence(in_workspace, rows);
    PERFORM pgrag.state_relations(in_workspace, upsert_relations.relations);
    PERFORM pgrag.settle(in_workspace, entity_ids, relation_ids);
    PERFORM pgrag.expect_many(0);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN QUERY
    SELECT g.ordinal::int, r.id
      FROM jsonb_array_elements(upsert_relations.relations) WITH ORDINALITY AS g(record, ordinal)
      LEFT JOIN pgrag.entity a ON a.workspace_id = in_workspace
                              AND a.name_key = pgrag.resolve_key(in_workspace, g.record ->> 'source')
      LEFT JOIN pgrag.entity b ON b.workspace_id = in_workspace
                              AND b.name_key = pgrag.resolve_key(in_workspace, g.record ->> 'target')
      LEFT JOIN pgrag.relation r ON r.workspace_id = in_workspace
                                AND least(r.source_id, r.target_id) = least(a.id, b.id)
                                AND greatest(r.source_id, r.target_id) = greatest(a.id, b.id)
     ORDER BY g.ordinal;
END $$;
COMMENT ON FUNCTION pgrag.upsert_relations(text, jsonb) IS
    'Stores what chunks say of relations, and the relations where they are new: for each row its place and the relation''s id.';
