-- Fills in the keys of an import: of each name what it means, by the aliases of the import and of the workspace, unless an
-- export stated the key. description_source and `stored` count only for an item that is made of one line and is new to the
-- workspace; everywhere else descriptions come together, as stated fragments (NULL).
CREATE OR REPLACE FUNCTION pgrag.resolve_import(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE pg_temp.pgrag_import_aliases i
       SET alias_key = coalesce(i.alias_key, pgrag.name_key(i.alias)), key = coalesce(i.key, pgrag.name_key(i.name));
    UPDATE pg_temp.pgrag_import_entities i SET key = coalesce(o.stored ->> 'key', k.key, pgrag.name_key(o.name))
      FROM pg_temp.pgrag_import_entities o
      LEFT JOIN pgrag.aliases_of_import(resolve_import.workspace_id) k ON k.alias_key = pgrag.name_key(o.name)
     WHERE o.line = i.line;
    UPDATE pg_temp.pgrag_import_relations i SET source_key = coalesce(o.stored ->> 'source_key', s.key, pgrag.name_key(o.source)),
                                                target_key = coalesce(o.stored ->> 'target_key', t.key, pgrag.name_key(o.target))
      FROM pg_temp.pgrag_import_relations o
      LEFT JOIN pgrag.aliases_of_import(resolve_import.workspace_id) s ON s.alias_key = pgrag.name_key(o.source)
      LEFT JOIN pgrag.aliases_of_import(resolve_import.workspace_id) t ON t.alias_key = pgrag.name_key(o.target)
     WHERE o.line = i.line;

    ANALYZE pg_temp.pgrag_import_entities, pg_temp.pgrag_import_relations;
    UPDATE pg_temp.pgrag_import_entities i SET description_source = NULL, stored = NULL
      FROM (SELECT o.line, count(*) OVER (PARTITION BY o.key) AS lines FROM pg_temp.pgrag_import_entities o) same
     WHERE same.line = i.line AND (i.description_source IS NOT NULL OR i.stored IS NOT NULL)
       AND (same.lines > 1
            OR EXISTS (SELECT FROM pgrag.entity e
                        WHERE e.workspace_id = resolve_import.workspace_id AND e.name_key = i.key));
    UPDATE pg_temp.pgrag_import_relations i SET description_source = NULL, stored = NULL
      FROM (SELECT o.line, count(*) OVER (PARTITION BY least(o.source_key, o.target_key),
                                                       greatest(o.source_key, o.target_key)) AS lines
              FROM pg_temp.pgrag_import_relations o) same
     WHERE same.line = i.line AND (i.description_source IS NOT NULL OR i.stored IS NOT NULL)
       AND (same.lines > 1
            OR EXISTS (SELECT FROM pgrag.entity a
                         JOIN pgrag.entity b ON b.workspace_id = a.workspace_id AND b.name_key = i.target_key
                         JOIN pgrag.relation r ON r.workspace_id = a.workspace_id
                                              AND least(r.source_id, r.target_id) = least(a.id, b.id)
                                              AND greatest(r.source_id, r.target_id) = greatest(a.id, b.id)
                        WHERE a.workspace_id = resolve_import.workspace_id AND a.name_key = i.source_key));
END $$;
COMMENT ON FUNCTION pgrag.resolve_import(bigint) IS
    'Fills in the keys of an import: of each name what it means, by the aliases of the import and of the workspace.';
