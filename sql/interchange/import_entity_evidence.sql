-- Stores what an import says of entities, chunk by chunk, the ends of relations that no line describes included. Several
-- pieces of one name in one chunk are one: distinct descriptions joined, the first type. What an export stored keeps its
-- place, everything else the order that the import states. The entities must be there (import_entities). Nothing is
-- returned.
CREATE OR REPLACE FUNCTION pgrag.import_entity_evidence(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH said AS (
        SELECT i.entity_id, coalesce(v.key, i.key) AS name_key, v.chunk_id, coalesce(btrim(v.name), btrim(i.name)) AS name,
               v.type, v.description, coalesce(v.kind, 'described') AS kind, v.line, v.place, 0 AS side,
               i.stored IS NOT NULL AS is_stored, v.ordinal AS stored_ordinal, v.stated_order
          FROM pg_temp.pgrag_import_entities i
          JOIN pg_temp.pgrag_import_entity_evidence v ON v.line = i.line
        UNION ALL
        SELECT x.entity_id, x.key, v.chunk_id, btrim(x.name), NULL, coalesce(nullif(v.description, ''), i.description),
               'endpoint', v.line, v.place, x.side, false, NULL, NULL
          FROM pg_temp.pgrag_import_relations i
          JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = i.line,
               LATERAL (VALUES (0, i.source_id, i.source_key, i.source), (1, i.target_id, i.target_key, i.target))
                   x(side, entity_id, key, name)
         WHERE NOT EXISTS (SELECT FROM pg_temp.pgrag_import_entities o WHERE o.entity_id = x.entity_id)
    ), placed AS (
        SELECT s.*, row_number() OVER (PARTITION BY s.entity_id ORDER BY s.line, s.place, s.side) - 1 AS ordinal FROM said s
    )
    INSERT INTO pgrag.entity_evidence
           (workspace_id, chunk_id, name_key, entity_id, ordinal, name, type, description, kind, stated_order)
    SELECT import_entity_evidence.workspace_id, c.stored_id, p.name_key, p.entity_id,
           coalesce(min(p.stored_ordinal), min(p.ordinal)), (array_agg(p.name ORDER BY p.ordinal))[1],
           (array_agg(p.type ORDER BY p.ordinal) FILTER (WHERE p.type IS NOT NULL))[1],
           CASE WHEN count(*) > 1 AND bool_or(p.kind = 'described')
                THEN pgrag.join_fragments(array_agg(p.description ORDER BY p.ordinal) FILTER (WHERE p.kind = 'described'))
                ELSE (array_agg(p.description ORDER BY p.ordinal))[1] END,
           min(p.kind), CASE WHEN bool_and(p.is_stored) THEN min(p.stated_order) ELSE min(p.ordinal) END
      FROM placed p
      JOIN pg_temp.pgrag_import_chunks c ON c.id = p.chunk_id
     GROUP BY p.entity_id, p.name_key, c.stored_id;
END $$;
COMMENT ON FUNCTION pgrag.import_entity_evidence(bigint) IS
    'Stores what an import says of entities, chunk by chunk.';
