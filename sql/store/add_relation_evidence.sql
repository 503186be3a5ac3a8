-- Stores what chunks say of relations, and the relations themselves where they are new: the ids of all relations named,
-- in no promised order. The ends must be there (add_entity_evidence). Several records of one pair of names in one chunk are
-- one piece of evidence: distinct descriptions joined in reply order, keywords united, the largest weight; the pair the
-- other way round is a piece of its own. What says that an entity is bound to itself, because two names came to mean one,
-- is stored without a relation: it counts again when the names are told apart.
CREATE OR REPLACE FUNCTION pgrag.add_relation_evidence(workspace_id bigint, relations jsonb)
RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    named bigint[];
BEGIN
    WITH said AS MATERIALIZED (
        SELECT s.*, a.id AS source_id, b.id AS target_id, least(a.id, b.id) AS low, greatest(a.id, b.id) AS high,
               a.name AS source_name, b.name AS target_name, pgrag.join_fragments(ARRAY[s.description]) AS fragment
          FROM pgrag.said_relations(add_relation_evidence.workspace_id, add_relation_evidence.relations) s
          JOIN pgrag.entity a ON a.workspace_id = add_relation_evidence.workspace_id AND a.name_key = s.source_means
          JOIN pgrag.entity b ON b.workspace_id = add_relation_evidence.workspace_id AND b.name_key = s.target_means
    ), stored AS (
        -- As the first record has it: mostly that is all there is to say, and deriving it finds it right.
        INSERT INTO pgrag.relation AS r
               (workspace_id, source_id, target_id, keywords, weight, description, unsummarized, token_count)
        SELECT DISTINCT ON (s.low, s.high) add_relation_evidence.workspace_id, s.source_id, s.target_id,
               pgrag.unite_keywords(jsonb_build_array(s.keywords)), s.weight, s.fragment, pgrag.may_need_summary(s.fragment),
               octet_length(pgrag.relation_line(s.source_name, s.target_name, s.fragment)) + 1
          FROM said s
         WHERE s.low < s.high
         ORDER BY s.low, s.high, s.chunk_index, s.ordinal
        ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id))
        DO UPDATE SET source_id = r.source_id
        RETURNING r.id, least(r.source_id, r.target_id) AS low, greatest(r.source_id, r.target_id) AS high
    ), evidence AS (
        INSERT INTO pgrag.relation_evidence
               (workspace_id, chunk_id, source_key, target_key, relation_id, ordinal, source, target, keywords, weight,
                description, stated_order)
        SELECT add_relation_evidence.workspace_id, s.chunk_id, s.source_key, s.target_key, stored.id, min(s.ordinal),
               (array_agg(s.source ORDER BY s.ordinal))[1], (array_agg(s.target ORDER BY s.ordinal))[1],
               pgrag.unite_keywords(jsonb_agg(to_jsonb(s.keywords) ORDER BY s.ordinal)), max(s.weight),
               pgrag.join_fragments(array_agg(s.description ORDER BY s.ordinal)), min(s.stated_order)
          FROM said s LEFT JOIN stored USING (low, high)
         WHERE s.chunk_id IS NOT NULL
         GROUP BY stored.id, s.chunk_id, s.source_key, s.target_key
        ON CONFLICT ON CONSTRAINT relation_evidence_pkey DO UPDATE
            SET relation_id = excluded.relation_id, ordinal = excluded.ordinal, source = excluded.source,
                target = excluded.target, keywords = excluded.keywords, weight = excluded.weight,
                description = excluded.description, stated_order = excluded.stated_order
    )
    SELECT array_agg(stored.id) INTO named FROM stored;
    RETURN coalesce(named, '{}');
END $$;
COMMENT ON FUNCTION pgrag.add_relation_evidence(bigint, jsonb) IS
    'Stores what chunks say of relations, and the relations themselves where they are new: the ids of all relations named.';
