-- Where names do not lead to what they mean, one row for each kind of mistake and workspace, with how many there are and the
-- entities to resolve anew; no row when all is well. Reads all evidence. No promised order.
CREATE OR REPLACE FUNCTION pgrag.misunderstood_names()
RETURNS TABLE (workspace_id bigint, mistake text, rows bigint, entity_ids bigint[])
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT v.workspace_id, 'pieces of evidence belong to another entity than their name means', count(*),
           array_agg(DISTINCT e.id)
      FROM pgrag.entity_evidence v
      JOIN pgrag.entity e ON e.workspace_id = v.workspace_id AND e.id = v.entity_id
      LEFT JOIN pgrag.entity_alias m ON m.workspace_id = v.workspace_id AND m.alias_key = v.name_key
     WHERE e.name_key <> coalesce(m.canonical_key, v.name_key)
     GROUP BY v.workspace_id
    UNION ALL
    SELECT v.workspace_id, 'pieces of evidence belong to another relation than their names mean', count(*),
           array_agg(DISTINCT x.id) FILTER (WHERE x.id IS NOT NULL)
      FROM pgrag.relation_evidence v
      LEFT JOIN pgrag.entity_alias m ON m.workspace_id = v.workspace_id AND m.alias_key = v.source_key
      LEFT JOIN pgrag.entity_alias n ON n.workspace_id = v.workspace_id AND n.alias_key = v.target_key
      LEFT JOIN pgrag.relation r ON r.workspace_id = v.workspace_id AND r.id = v.relation_id
      LEFT JOIN pgrag.entity a ON a.workspace_id = v.workspace_id AND a.id = r.source_id
      LEFT JOIN pgrag.entity b ON b.workspace_id = v.workspace_id AND b.id = r.target_id
      LEFT JOIN pgrag.entity x ON x.workspace_id = v.workspace_id
                              AND x.name_key = coalesce(a.name_key, m.canonical_key, v.source_key)
     WHERE CASE WHEN coalesce(m.canonical_key, v.source_key) = coalesce(n.canonical_key, v.target_key) THEN r.id IS NOT NULL
                ELSE (least(a.name_key, b.name_key), greatest(a.name_key, b.name_key)) IS DISTINCT FROM
                     (least(coalesce(m.canonical_key, v.source_key), coalesce(n.canonical_key, v.target_key)),
                      greatest(coalesce(m.canonical_key, v.source_key), coalesce(n.canonical_key, v.target_key))) END
     GROUP BY v.workspace_id
    UNION ALL
    SELECT m.workspace_id, 'aliases are the name of an entity, or mean an alias', count(*),
           array_agg(DISTINCT e.id) FILTER (WHERE e.id IS NOT NULL)
      FROM pgrag.entity_alias m
      LEFT JOIN pgrag.entity e ON e.workspace_id = m.workspace_id AND e.name_key = m.alias_key
      LEFT JOIN pgrag.entity_alias n ON n.workspace_id = m.workspace_id AND n.alias_key = m.canonical_key
     WHERE e.id IS NOT NULL OR n.alias_key IS NOT NULL
     GROUP BY m.workspace_id;
END;
COMMENT ON FUNCTION pgrag.misunderstood_names() IS
    'Where names do not lead to what they mean, one row for each kind of mistake and workspace; no row when all is well.';
