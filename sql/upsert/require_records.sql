-- Nothing, when these can be rows of upsert_entities (names: {name}) or upsert_relations ({source,target}); else error RG001
-- with the first offending row: a name that is no text or blank, a chunk_id that is no chunk of the workspace, keywords that
-- are no list of texts, a weight that is negative or no number.
CREATE OR REPLACE FUNCTION pgrag.require_records(workspace_id bigint, argument text, records jsonb, names text[])
RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    bad    jsonb;
    reason text;
BEGIN
    PERFORM pgrag.require_list(require_records.argument, require_records.records);
    SELECT r.record, p.reason INTO bad, reason
      FROM jsonb_array_elements(require_records.records) WITH ORDINALITY AS r(record, ordinal)
     CROSS JOIN LATERAL (
            SELECT format('%s must be a text that is not blank', n.name) AS reason
              FROM unnest(require_records.names) AS n(name)
             WHERE (jsonb_typeof(r.record -> n.name) = 'string' AND pgrag.name_key(r.record ->> n.name) <> '') IS NOT TRUE
            UNION ALL
            SELECT 'chunk_id must be a chunk of the workspace'
             WHERE jsonb_typeof(r.record -> 'chunk_id') <> 'null'
               AND NOT EXISTS (SELECT FROM pgrag.chunk c
                                WHERE c.workspace_id = require_records.workspace_id
                                  AND c.id = CASE WHEN r.record ->> 'chunk_id' ~ '^\d{1,18}$'
                                                  THEN (r.record ->> 'chunk_id')::bigint END)
            UNION ALL
            SELECT 'keywords must be a list of texts'
             WHERE jsonb_typeof(r.record -> 'keywords') <> 'null'
               AND (jsonb_typeof(r.record -> 'keywords') <> 'array'
                    OR jsonb_path_exists(r.record, 'strict $.keywords[*] ? (@.type() != "string")'))
            UNION ALL
            SELECT 'weight must be a number of 0 or more'
             WHERE jsonb_typeof(r.record -> 'weight') <> 'null'
               AND NOT CASE jsonb_typeof(r.record -> 'weight')
                            WHEN 'number' THEN (r.record ->> 'weight')::numeric BETWEEN 0 AND 1e300 ELSE false END) p
     ORDER BY r.ordinal LIMIT 1;
    PERFORM pgrag.require(bad IS NULL, format('%s: %s, got %s', require_records.argument, reason, left(bad::text, 200)));
END $$;
COMMENT ON FUNCTION pgrag.require_records(bigint, text, jsonb, text[]) IS
    'Nothing, when these can be rows of upsert_entities or upsert_relations; else error RG001 with the first offending row.';
