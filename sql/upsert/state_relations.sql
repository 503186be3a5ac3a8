-- Marks the relations of rows without a chunk as made by hand, with what the rows state of them; of several rows the last
-- counts. The relations must be there. In: the rows of upsert_relations. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.state_relations(workspace_id bigint, relations jsonb)
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE pgrag.relation r
       SET by_hand = true, stated_keywords = coalesce(s.keywords, r.stated_keywords),
           stated_description = coalesce(s.description, r.stated_description),
           stated_weight = coalesce(s.weight, r.stated_weight)
      FROM (SELECT DISTINCT ON (least(a.id, b.id), greatest(a.id, b.id)) a.id AS source_id, b.id AS target_id,
                   nullif(pgrag.unite_keywords(jsonb_build_array(g.keywords)), '{}') AS keywords,
                   nullif(btrim(g.description), '') AS description, g.weight
              FROM pgrag.said_relations(state_relations.workspace_id, state_relations.relations) g
              JOIN pgrag.entity a ON a.workspace_id = state_relations.workspace_id AND a.name_key = g.source_means
              JOIN pgrag.entity b ON b.workspace_id = state_relations.workspace_id AND b.name_key = g.target_means
             WHERE g.chunk_id IS NULL
             ORDER BY least(a.id, b.id), greatest(a.id, b.id), g.ordinal DESC) s
     WHERE r.workspace_id = state_relations.workspace_id
       AND least(r.source_id, r.target_id) = least(s.source_id, s.target_id)
       AND greatest(r.source_id, r.target_id) = greatest(s.source_id, s.target_id);
END;
COMMENT ON FUNCTION pgrag.state_relations(bigint, jsonb) IS
    'Marks the relations of rows without a chunk as made by hand, with what the rows state of them.';
