-- What model replies say of relations, one row for each record: the keys of the names as said (source_key, target_key), the
-- keys of the entities meant (source_means, target_means: equal where aliases made one of two), and what was said. Self-loops
-- and records with an empty end do not count. In: the rows that upsert_relations takes.
CREATE OR REPLACE FUNCTION pgrag.said_relations(workspace_id bigint, relations jsonb)
RETURNS TABLE (source_key text, target_key text, source_means text, target_means text, chunk_id bigint, chunk_index int,
               ordinal bigint, source text, target text, keywords text[], weight float8, description text, stated_order int)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT k.source_key, k.target_key, k.source_means, k.target_means, k.chunk_id, k.chunk_index, k.ordinal, k.source, k.target,
           k.keywords, k.weight, k.description, k.stated_order
      FROM (SELECT pgrag.name_key(r.source) AS source_key, pgrag.name_key(r.target) AS target_key,
                   coalesce(a.canonical_key, pgrag.name_key(r.source)) AS source_means,
                   coalesce(b.canonical_key, pgrag.name_key(r.target)) AS target_means,
                   r.chunk_id, r.chunk_index, r.ordinal, btrim(r.source) AS source, btrim(r.target) AS target,
                   coalesce(r.keywords, '{}') AS keywords, coalesce(r.weight, 1) AS weight,
                   coalesce(r.description, '') AS description, r.stated_order
              FROM ROWS FROM (jsonb_to_recordset(said_relations.relations)
                       AS (chunk_id bigint, chunk_index int, source text, target text, keywords text[], weight float8,
                           description text, stated_order int))
                   WITH ORDINALITY AS r(chunk_id, chunk_index, source, target, keywords, weight, description,
                                        stated_order, ordinal)
              LEFT JOIN pgrag.entity_alias a
                     ON a.workspace_id = said_relations.workspace_id AND a.alias_key = pgrag.name_key(r.source)
              LEFT JOIN pgrag.entity_alias b
                     ON b.workspace_id = said_relations.workspace_id AND b.alias_key = pgrag.name_key(r.target)) k
     WHERE k.source_key <> '' AND k.target_key <> '' AND k.source_key <> k.target_key;
END;
COMMENT ON FUNCTION pgrag.said_relations(bigint, jsonb) IS
    'What model replies say of relations, one row for each record, self-loops left out.';
