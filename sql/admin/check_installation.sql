-- What is wrong with this installation, one row a problem, with its cure; no row when nothing is.
CREATE OR REPLACE FUNCTION pgrag.check_installation()
RETURNS TABLE (problem text, cure text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT format('index %s is invalid', i.indexrelid::regclass), format('REINDEX INDEX CONCURRENTLY %s', i.indexrelid::regclass)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = 'pgrag'::regnamespace AND NOT i.indisvalid;

    RETURN QUERY
    SELECT format('%s entities of workspace %L have a wrong degree', count(*), w.name), 'SELECT pgrag.repair_installation()'
      FROM pgrag.entity e JOIN pgrag.workspace w ON w.id = e.workspace_id
     WHERE e.degree <> (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.source_id = e.id)
                     + (SELECT count(*) FROM pgrag.relation r WHERE r.workspace_id = e.workspace_id AND r.target_id = e.id)
     GROUP BY w.name;

    RETURN QUERY
    SELECT format('%s entities of workspace %L have neither evidence nor a hand that made them', count(*), w.name),
           'SELECT pgrag.repair_installation()'
      FROM pgrag.entity e JOIN pgrag.workspace w ON w.id = e.workspace_id
     WHERE NOT e.by_hand
       AND NOT EXISTS (SELECT FROM pgrag.entity_evidence v WHERE v.workspace_id = e.workspace_id AND v.entity_id = e.id)
       AND NOT EXISTS (SELECT FROM pgrag.entity_alias m WHERE m.workspace_id = e.workspace_id
                          AND m.canonical_key = e.name_key AND m.kept @> '{"by_hand": true}')
       AND e.degree = 0
     GROUP BY w.name;

    RETURN QUERY
    SELECT format('%s relations of workspace %L have neither evidence nor a hand that made them',
                  cardinality(u.relation_ids), w.name), 'SELECT pgrag.repair_installation()'
      FROM pgrag.unfounded_relations() u JOIN pgrag.workspace w ON w.id = u.workspace_id
     ORDER BY w.name;

    RETURN QUERY
    SELECT format('%s %s, in workspace %L', m.rows, m.mistake, w.name),
           CASE WHEN m.mistake LIKE 'aliases%' THEN 'delete these rows of pgrag.entity_alias, then SELECT pgrag.repair_installation()'
                ELSE 'SELECT pgrag.repair_installation()' END
      FROM pgrag.misunderstood_names() m JOIN pgrag.workspace w ON w.id = m.workspace_id
     ORDER BY w.name, m.mistake;

    RETURN QUERY
    SELECT format('%s chunks of workspace %L have no embedding', count(*), w.name), 'ingest their documents again'
      FROM pgrag.chunk c JOIN pgrag.workspace w ON w.id = c.workspace_id
     WHERE NOT EXISTS (SELECT FROM pgrag.chunk_embedding v WHERE v.workspace_id = c.workspace_id AND v.chunk_id = c.id)
     GROUP BY w.name;

    RETURN QUERY SELECT g.problem, g.cure FROM pgrag.check_graph() g;
END $$;
COMMENT ON FUNCTION pgrag.check_installation() IS
    'What is wrong with this installation, one row a problem, with its cure; no row when nothing is.';
