-- What an import states of relations beside their evidence, one row for each pair, in the direction of its first line. A
-- line whose description_source says that it was derived (joined, summarized) states nothing that its evidence gives, and
-- one made by hand states nothing at all: keep_given writes it as it is; nor does one that an export stored. A weight is
-- stated where there is no evidence to carry it. `line` is the first one, and `lines` how many there are. Self-loops must be
-- gone, the ids of the ends filled in.
CREATE OR REPLACE FUNCTION pgrag.stated_relations()
RETURNS TABLE (source_id bigint, target_id bigint, keywords text[], description text, weight float8, by_hand boolean,
               line int, lines bigint)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    WITH said AS (
        SELECT v.line, pgrag.unite_keywords(jsonb_agg(to_jsonb(coalesce(v.keywords, '{}')))) AS keywords,
               pgrag.join_fragments(array_agg(v.description ORDER BY v.place)) AS description
          FROM pg_temp.pgrag_import_relations i
          JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = i.line
         WHERE i.description_source IN ('joined', 'summarized')
         GROUP BY v.line
    ), stated AS (
        SELECT i.line, i.source_id, i.target_id, i.has_evidence, i.weight,
               least(i.source_id, i.target_id) AS low, greatest(i.source_id, i.target_id) AS high,
               CASE WHEN i.description_source = 'manual' OR i.stored IS NOT NULL
                      OR (i.description_source IN ('joined', 'summarized') AND i.keywords <@ s.keywords)
                    THEN NULL ELSE nullif(i.keywords, '{}') END AS keywords,
               CASE WHEN i.description_source = 'manual' OR i.stored IS NOT NULL
                      OR (i.description_source = 'joined' AND s.description = i.description)
                      OR (i.description_source = 'summarized' AND s.description <> '')
                    THEN NULL ELSE nullif(i.description, '') END AS description
          FROM pg_temp.pgrag_import_relations i
          LEFT JOIN said s ON s.line = i.line
    )
    SELECT (array_agg(s.source_id ORDER BY s.line))[1], (array_agg(s.target_id ORDER BY s.line))[1],
           CASE WHEN count(s.keywords) > 1
                THEN pgrag.unite_keywords(jsonb_agg(to_jsonb(s.keywords)) FILTER (WHERE s.keywords IS NOT NULL))
                ELSE max(s.keywords) END,
           CASE WHEN count(s.description) > 1 THEN pgrag.join_fragments(array_agg(s.description ORDER BY s.line))
                ELSE max(s.description) END,
           (array_agg(s.weight ORDER BY s.line) FILTER (WHERE NOT s.has_evidence))[1],
           NOT bool_and(s.has_evidence), min(s.line), count(*)
      FROM stated s
     GROUP BY s.low, s.high;
END $$;
COMMENT ON FUNCTION pgrag.stated_relations() IS
    'What an import states of relations beside their evidence, one row for each pair, in the direction of its first line.';
