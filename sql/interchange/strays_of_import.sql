-- Evidence of an import whose keys, as an export stated them, do not mean what its line means: it would be given to another
-- item at the next change of aliases. So would an item that is stored under the key of an alias. One row each, no promised order. The keys must be filled in (resolve_import).
CREATE OR REPLACE FUNCTION pgrag.strays_of_import(workspace_id bigint)
RETURNS TABLE (file text, line int, reason text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    WITH alias AS MATERIALIZED (
        SELECT a.alias_key, a.key FROM pgrag.aliases_of_import(strays_of_import.workspace_id) a
    ), told AS (
        SELECT v.line, coalesce(v.source_key, i.source_key) AS source_key, coalesce(v.target_key, i.target_key) AS target_key,
               ARRAY[least(i.source_key, i.target_key), greatest(i.source_key, i.target_key)] AS ends
          FROM pg_temp.pgrag_import_relation_evidence v
          JOIN pg_temp.pgrag_import_relations i ON i.line = v.line
         WHERE v.source_key IS NOT NULL OR v.target_key IS NOT NULL
    )
    SELECT 'entities.jsonl', i.line, format('its key %L is that of an alias', i.key)
      FROM pg_temp.pgrag_import_entities i JOIN alias k ON k.alias_key = i.key
    UNION ALL
    SELECT 'relations.jsonl', i.line, format('its key %L is that of an alias', k.alias_key)
      FROM pg_temp.pgrag_import_relations i JOIN alias k ON k.alias_key IN (i.source_key, i.target_key)
    UNION ALL
    SELECT 'entities.jsonl', v.line, format('the key %L of its evidence means another entity', v.key)
      FROM pg_temp.pgrag_import_entity_evidence v
      JOIN pg_temp.pgrag_import_entities i ON i.line = v.line
      LEFT JOIN alias k ON k.alias_key = v.key
     WHERE v.key IS NOT NULL AND coalesce(k.key, v.key) <> i.key
    UNION ALL
    SELECT 'relations.jsonl', t.line, format('the keys %L and %L of its evidence mean another pair', t.source_key, t.target_key)
      FROM told t
      LEFT JOIN alias s ON s.alias_key = t.source_key
      LEFT JOIN alias d ON d.alias_key = t.target_key
     WHERE ARRAY[least(coalesce(s.key, t.source_key), coalesce(d.key, t.target_key)),
                 greatest(coalesce(s.key, t.source_key), coalesce(d.key, t.target_key))] <> t.ends
    UNION ALL
    SELECT 'sleeping.jsonl', i.line, format('%L and %L are not two names of one entity', i.source, i.target)
      FROM pg_temp.pgrag_import_sleeping i
      LEFT JOIN alias s ON s.alias_key = i.source_key
      LEFT JOIN alias d ON d.alias_key = i.target_key
     WHERE i.source_key = i.target_key
        OR coalesce(s.key, i.source_key) <> coalesce(d.key, i.target_key);
END $$;
COMMENT ON FUNCTION pgrag.strays_of_import(bigint) IS
    'Evidence of an import whose keys, as an export stated them, do not mean what its line means.';
