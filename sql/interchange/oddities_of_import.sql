-- What an import mends, and a strict one refuses, one row for each: lines merged into an earlier one of the same entity or
-- pair, undescribed ends that are created, chunks repeated in one item, self-loops, items without evidence. `kind` is
-- merged, created, repeated, skipped or by_hand. No promised order. The keys must be filled in (resolve_import).
CREATE OR REPLACE FUNCTION pgrag.oddities_of_import(workspace_id bigint)
RETURNS TABLE (kind text, file text, line int, reason text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    WITH item AS (
        SELECT i.line, i.name, i.has_evidence, i.stored, min(i.line) OVER (PARTITION BY i.key) AS first_line, i.key
          FROM pg_temp.pgrag_import_entities i
    ), piece AS (
        SELECT v.line, v.chunk_id, row_number() OVER (PARTITION BY coalesce(v.key, item.key), v.chunk_id ORDER BY v.line, v.place) AS nth
          FROM item JOIN pg_temp.pgrag_import_entity_evidence v ON v.line = item.line
    )
    SELECT 'merged', 'entities.jsonl', i.line, format('entity %L is the one of line %s', i.name, i.first_line)
      FROM item i WHERE i.line > i.first_line
    UNION ALL
    SELECT 'by_hand', 'entities.jsonl', i.line, format('entity %L has no evidence', i.name)
      FROM item i WHERE NOT i.has_evidence AND i.stored IS NULL
    UNION ALL
    SELECT 'repeated', 'entities.jsonl', p.line, format('chunk %L is repeated in the evidence', p.chunk_id)
      FROM piece p WHERE p.nth > 1;

    RETURN QUERY
    WITH item AS (
        SELECT i.line, i.source, i.target, i.source_key, i.target_key, i.has_evidence, i.stored,
               least(i.source_key, i.target_key) AS low, greatest(i.source_key, i.target_key) AS high,
               min(i.line) OVER (PARTITION BY least(i.source_key, i.target_key), greatest(i.source_key, i.target_key))
                   AS first_line
          FROM pg_temp.pgrag_import_relations i
         WHERE i.source_key <> i.target_key
    ), piece AS (
        SELECT v.line, v.chunk_id,
               row_number() OVER (PARTITION BY item.low, item.high, v.chunk_id, v.source_key, v.target_key
                                  ORDER BY v.line, v.place) AS nth
          FROM item JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = item.line
    ), missing AS (
        SELECT DISTINCT ON (x.key) i.line, x.name
          FROM item i, LATERAL (VALUES (i.source_key, i.source), (i.target_key, i.target)) x(key, name)
         WHERE NOT EXISTS (SELECT FROM pg_temp.pgrag_import_entities e WHERE e.key = x.key)
           AND NOT EXISTS (SELECT FROM pgrag.entity e
                            WHERE e.workspace_id = oddities_of_import.workspace_id AND e.name_key = x.key)
         ORDER BY x.key, i.line
    )
    SELECT 'merged', 'relations.jsonl', i.line,
           format('the relation of %L and %L is the one of line %s', i.source, i.target, i.first_line)
      FROM item i WHERE i.line > i.first_line
    UNION ALL
    SELECT 'by_hand', 'relations.jsonl', i.line, format('the relation of %L and %L has no evidence', i.source, i.target)
      FROM item i WHERE NOT i.has_evidence AND i.stored IS NULL
    UNION ALL
    SELECT 'repeated', 'relations.jsonl', p.line, format('chunk %L is repeated in the evidence', p.chunk_id)
      FROM piece p WHERE p.nth > 1
    UNION ALL
    SELECT 'created', 'relations.jsonl', m.line, format('%L is described nowhere', m.name) FROM missing m
    UNION ALL
    SELECT 'skipped', 'relations.jsonl', i.line, format('%L is related to itself', i.source)
      FROM pg_temp.pgrag_import_relations i WHERE i.source_key = i.target_key;
END $$;
COMMENT ON FUNCTION pgrag.oddities_of_import(bigint) IS
    'What an import mends, and a strict one refuses: merged, created, repeated, skipped, by_hand; one row for each.';
