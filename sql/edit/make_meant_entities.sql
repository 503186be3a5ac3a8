-- Makes the entities that evidence means and that are not there: of the evidence of the given entities and relations, and of
-- what sleeps at the given names; and the ends of kept relations that were made by hand. Called as the alias says, else as
-- said. Nothing is returned; settle derives the rest.
CREATE OR REPLACE FUNCTION pgrag.make_meant_entities(
    workspace_id bigint, entity_ids bigint[], relation_ids bigint[], name_keys text[])
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH said AS (
        SELECT v.name_key, v.name FROM pgrag.entity_evidence v
         WHERE v.workspace_id = make_meant_entities.workspace_id AND v.entity_id = ANY (make_meant_entities.entity_ids)
        UNION ALL
        SELECT x.name_key, x.name
          FROM pgrag.evidence_at(make_meant_entities.workspace_id, make_meant_entities.relation_ids,
                                 make_meant_entities.name_keys) v
         CROSS JOIN LATERAL (VALUES (v.source_key, v.source), (v.target_key, v.target)) AS x(name_key, name)
        UNION ALL
        SELECT x.name_key, x.name
          FROM pgrag.kept_relations(make_meant_entities.workspace_id) k
         CROSS JOIN LATERAL (VALUES (k.source_key, k.source), (k.target_key, k.target)) AS x(name_key, name)
         WHERE k.by_hand AND k.source_means <> k.target_means
    )
    INSERT INTO pgrag.entity (workspace_id, name, name_key, type)
    SELECT DISTINCT ON (m.key COLLATE "C") make_meant_entities.workspace_id, m.name, m.key, 'UNKNOWN'
      FROM (SELECT coalesce(a.canonical_key, s.name_key) AS key, coalesce(a.canonical, s.name) AS name
              FROM said s
              LEFT JOIN pgrag.entity_alias a
                     ON a.workspace_id = make_meant_entities.workspace_id AND a.alias_key = s.name_key) m
     WHERE NOT EXISTS (SELECT FROM pgrag.entity e
                        WHERE e.workspace_id = make_meant_entities.workspace_id AND e.name_key = m.key)
     ORDER BY m.key COLLATE "C", m.name COLLATE "C";
END;
COMMENT ON FUNCTION pgrag.make_meant_entities(bigint, bigint[], bigint[], text[]) IS
    'Makes the entities that evidence means and that are not there.';
