-- What an import states of entities beside their evidence, one row for each entity that it names: its lines in order, and
-- the ends of relations that have no line. A line whose description_source says that it was derived (joined, summarized)
-- states nothing that its evidence gives, and one made by hand states nothing at all: keep_given writes it as it is; nor does
-- one that an export stored. `line` is the first one, and `lines` how many there are; NULL and 0 for an end. An end
-- without a line is stated only when nothing else would describe it: it is new, and its relations have no evidence.
CREATE OR REPLACE FUNCTION pgrag.stated_entities(workspace_id bigint)
RETURNS TABLE (key text, name text, type text, description text, by_hand boolean, line int, lines bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    WITH said AS (
        SELECT v.line, pgrag.majority(array_agg(v.type ORDER BY v.place)) AS type,
               pgrag.join_fragments(array_agg(v.description ORDER BY v.place)) AS description
          FROM pg_temp.pgrag_import_entities i
          JOIN pg_temp.pgrag_import_entity_evidence v ON v.line = i.line
         WHERE i.description_source IN ('joined', 'summarized')
         GROUP BY v.line
    ), stated AS (
        SELECT i.key, i.line, btrim(i.name) AS name, i.has_evidence,
               CASE WHEN i.description_source = 'manual' OR i.stored IS NOT NULL
                      OR (i.description_source IN ('joined', 'summarized') AND s.type = i.type)
                    THEN NULL ELSE nullif(i.type, 'UNKNOWN') END AS type,
               CASE WHEN i.description_source = 'manual' OR i.stored IS NOT NULL
                      OR (i.description_source = 'joined' AND s.description = i.description)
                      OR (i.description_source = 'summarized' AND s.description <> '')
                    THEN NULL ELSE nullif(i.description, '') END AS description
          FROM pg_temp.pgrag_import_entities i
          LEFT JOIN said s ON s.line = i.line
    ), ends AS (
        SELECT x.key, (array_agg(btrim(x.name) ORDER BY i.line))[1] AS name,
               (array_agg(i.description ORDER BY i.line))[1] AS description,
               NOT bool_or(i.has_evidence) AND NOT EXISTS (
                   SELECT FROM pgrag.entity e
                    WHERE e.workspace_id = stated_entities.workspace_id AND e.name_key = x.key) AS alone
          FROM pg_temp.pgrag_import_relations i,
               LATERAL (VALUES (i.source_key, i.source), (i.target_key, i.target)) x(key, name)
         WHERE NOT EXISTS (SELECT FROM pg_temp.pgrag_import_entities o WHERE o.key = x.key)
         GROUP BY x.key
    )
    SELECT s.key, (array_agg(s.name ORDER BY pgrag.name_key(s.name) <> s.key, s.line))[1],
           (array_agg(s.type ORDER BY s.line) FILTER (WHERE s.type IS NOT NULL))[1],
           CASE WHEN count(s.description) > 1 THEN pgrag.join_fragments(array_agg(s.description ORDER BY s.line))
                ELSE max(s.description) END,
           NOT bool_and(s.has_evidence), min(s.line), count(*)
      FROM stated s
     GROUP BY s.key
    UNION ALL
    SELECT e.key, e.name, NULL, CASE WHEN e.alone THEN nullif(e.description, '') END, e.alone, NULL, 0
      FROM ends e;
END $$;
COMMENT ON FUNCTION pgrag.stated_entities(bigint) IS
    'What an import states of entities beside their evidence, one row for each entity that it names.';
