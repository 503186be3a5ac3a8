-- Stores what chunks say of entities, and the entities themselves where they are new: the ids of all entities named, in
-- no promised order. Several mentions of one name in one chunk are one piece of evidence: distinct descriptions joined
-- in reply order, the first type; a description beats a mention as an end. All entities named, and those of `bereft` (whose
-- evidence went in this transaction), are made or locked in one pass in key order before anything else is written, so
-- writers queue and never deadlock, and nobody drops what another one is just finding evidence for. Derived columns are the
-- caller's next step, in a statement of its own (it must see what writers that were waited for have committed).
CREATE OR REPLACE FUNCTION pgrag.add_entity_evidence(
    workspace_id bigint, entities jsonb, relations jsonb, bereft bigint[] DEFAULT '{}')
RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    named bigint[];
    made  bigint[];
    keys  text[] := ARRAY(SELECT DISTINCT s.key FROM pgrag.said_entities(
                              add_entity_evidence.workspace_id, add_entity_evidence.entities, add_entity_evidence.relations) s);
BEGIN
    -- What is new is stored as its first mention has it: mostly that is all there is to say, and deriving it finds it right.
    -- A row that is there is locked by ON CONFLICT although WHERE leaves it as it is. Two passes, first what is there and then
    -- what is new, would be no order: what is new to one writer is there already for the next. It sets no key column, so the
    -- lock lets others refer to the row: relations of a renamed entity refer to neighbours that are in nobody's order.
    WITH said AS MATERIALIZED (
        SELECT * FROM pgrag.said_entities(add_entity_evidence.workspace_id,
                                          add_entity_evidence.entities, add_entity_evidence.relations)
    ), wanted AS (
        SELECT s.key, s.name, coalesce(s.type, 'UNKNOWN') AS type,
               CASE s.kind WHEN 'described' THEN pgrag.join_fragments(ARRAY[s.description]) ELSE s.description END AS description,
               s.kind, s.chunk_index, s.ordinal
          FROM said s
        UNION ALL
        SELECT e.name_key, e.name, 'UNKNOWN', '', NULL, NULL, NULL FROM pgrag.entity e
         WHERE e.workspace_id = add_entity_evidence.workspace_id AND e.id = ANY (add_entity_evidence.bereft)
    ), fresh AS (
        INSERT INTO pgrag.entity AS e (workspace_id, name, name_key, type, description, unsummarized, token_count)
        SELECT DISTINCT ON (w.key COLLATE "C") add_entity_evidence.workspace_id, w.name, w.key, w.type, w.description,
               pgrag.may_need_summary(w.description), octet_length(pgrag.entity_line(w.name, w.type, w.description)) + 1
          FROM wanted w
         ORDER BY w.key COLLATE "C", w.kind, w.chunk_index, w.ordinal
        ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO UPDATE SET degree = e.degree WHERE false
        RETURNING e.id
    )
    SELECT array_agg(f.id) INTO made FROM fresh f;
    -- One that another writer dropped before we came to it was bereft, and is not wanted back.
    DELETE FROM pgrag.entity e
     WHERE e.workspace_id = add_entity_evidence.workspace_id AND e.id = ANY (made) AND e.name_key <> ALL (keys);

    WITH said AS MATERIALIZED (
        SELECT * FROM pgrag.said_entities(add_entity_evidence.workspace_id,
                                          add_entity_evidence.entities, add_entity_evidence.relations)
    ), stored AS MATERIALIZED (
        SELECT e.id, e.name_key FROM pgrag.entity e
         WHERE e.workspace_id = add_entity_evidence.workspace_id AND e.name_key = ANY (keys)
    ), evidence AS (
        INSERT INTO pgrag.entity_evidence AS v
               (workspace_id, chunk_id, name_key, entity_id, ordinal, name, type, description, kind, stated_order)
        SELECT add_entity_evidence.workspace_id, s.chunk_id, s.name_key, stored.id, min(s.ordinal),
               (array_agg(s.name ORDER BY s.kind, s.ordinal))[1],
               (array_agg(s.type ORDER BY s.ordinal) FILTER (WHERE s.type IS NOT NULL))[1],
               CASE WHEN bool_or(s.kind = 'described')
                    THEN pgrag.join_fragments(array_agg(s.description ORDER BY s.ordinal) FILTER (WHERE s.kind = 'described'))
                    ELSE (array_agg(s.description ORDER BY s.ordinal))[1] END,
               min(s.kind), min(s.stated_order)
          FROM said s JOIN stored ON stored.name_key = s.key
         WHERE s.chunk_id IS NOT NULL
         GROUP BY stored.id, s.chunk_id, s.name_key
        ON CONFLICT ON CONSTRAINT entity_evidence_pkey DO UPDATE
            SET entity_id = excluded.entity_id, ordinal = excluded.ordinal, name = excluded.name,
                type = excluded.type, description = excluded.description, kind = excluded.kind,
                stated_order = excluded.stated_order
          WHERE excluded.kind = 'described' OR v.kind = 'endpoint'
    )
    SELECT array_agg(stored.id) INTO named FROM stored;
    RETURN coalesce(named, '{}');
END $$;
COMMENT ON FUNCTION pgrag.add_entity_evidence(bigint, jsonb, jsonb, bigint[]) IS
    'Stores what chunks say of entities, and the entities themselves where they are new: the ids of all entities named.';
