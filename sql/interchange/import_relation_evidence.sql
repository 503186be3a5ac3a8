-- Stores what an import says of relations, chunk by chunk, and what sleeps. Several pieces of one pair of names in one chunk
-- are one: distinct descriptions joined, keywords united, the largest weight. What an export stored keeps its place,
-- everything else the order that the import states. The relations must be there (import_relations). Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.import_relation_evidence(workspace_id bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    WITH placed AS (
        SELECT i.relation_id, i.stored IS NOT NULL AS is_stored, v.chunk_id, v.ordinal AS stored_ordinal, v.stated_order,
               coalesce(v.source_key, a.name_key) AS source_key, coalesce(v.target_key, b.name_key) AS target_key,
               coalesce(btrim(v.source), btrim(i.source)) AS source, coalesce(btrim(v.target), btrim(i.target)) AS target,
               coalesce(v.keywords, '{}') AS keywords, v.weight, v.description,
               row_number() OVER (PARTITION BY i.relation_id ORDER BY v.line, v.place) - 1 AS ordinal
          FROM pg_temp.pgrag_import_relations i
          JOIN pg_temp.pgrag_import_relation_evidence v ON v.line = i.line
          JOIN pgrag.relation r ON r.workspace_id = import_relation_evidence.workspace_id AND r.id = i.relation_id
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
    )
    INSERT INTO pgrag.relation_evidence
           (workspace_id, chunk_id, source_key, target_key, relation_id, ordinal, source, target, keywords, weight,
            description, stated_order)
    SELECT import_relation_evidence.workspace_id, c.stored_id, p.source_key, p.target_key, p.relation_id,
           coalesce(min(p.stored_ordinal), min(p.ordinal)),
           (array_agg(p.source ORDER BY p.ordinal))[1], (array_agg(p.target ORDER BY p.ordinal))[1],
           CASE WHEN count(*) > 1 THEN pgrag.unite_keywords(jsonb_agg(to_jsonb(p.keywords))) ELSE max(p.keywords) END,
           max(p.weight),
           CASE WHEN count(*) > 1 THEN pgrag.join_fragments(array_agg(p.description ORDER BY p.ordinal))
                ELSE max(p.description) END,
           CASE WHEN bool_and(p.is_stored) THEN min(p.stated_order) ELSE min(p.ordinal) END
      FROM placed p
      JOIN pg_temp.pgrag_import_chunks c ON c.id = p.chunk_id
     GROUP BY p.relation_id, p.source_key, p.target_key, c.stored_id;

    INSERT INTO pgrag.relation_evidence
           (workspace_id, chunk_id, source_key, target_key, ordinal, source, target, keywords, weight, description, stated_order)
    SELECT import_relation_evidence.workspace_id, c.stored_id, i.source_key, i.target_key, i.ordinal, i.source, i.target,
           i.keywords, i.weight, i.description, i.stated_order
      FROM pg_temp.pgrag_import_sleeping i
      JOIN pg_temp.pgrag_import_chunks c ON c.id = i.chunk_id
     ORDER BY i.line
    ON CONFLICT ON CONSTRAINT relation_evidence_pkey DO NOTHING;
END $$;
COMMENT ON FUNCTION pgrag.import_relation_evidence(bigint) IS
    'Stores what an import says of relations, chunk by chunk, and what sleeps.';
