-- Finds anew what the evidence of entities means, that of the relations at them, and the evidence that sleeps because its
-- names meant one of them: after an alias came or went. Entities and relations that are needed are made; evidence whose both
-- names mean one entity sleeps. One row: the entities and relations that lost or gained any, and the given ones, for settle.
-- Nobody else may change or store names meanwhile (lock_names).
CREATE OR REPLACE FUNCTION pgrag.resolve_evidence(workspace_id bigint, of_entities bigint[])
RETURNS TABLE (entity_ids bigint[], relation_ids bigint[])
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    keys      text[]   := pgrag.names_of_entities(resolve_evidence.workspace_id, resolve_evidence.of_entities);
    relations bigint[] := pgrag.relations_of(resolve_evidence.workspace_id, resolve_evidence.of_entities);
    gained    bigint[];
BEGIN
    PERFORM pgrag.make_meant_entities(resolve_evidence.workspace_id, resolve_evidence.of_entities, relations, keys);
    WITH moved AS (
        UPDATE pgrag.entity_evidence v SET entity_id = e.id
          FROM pgrag.entity_evidence p
          LEFT JOIN pgrag.entity_alias a ON a.workspace_id = p.workspace_id AND a.alias_key = p.name_key
          JOIN pgrag.entity e ON e.workspace_id = p.workspace_id AND e.name_key = coalesce(a.canonical_key, p.name_key)
         WHERE p.workspace_id = resolve_evidence.workspace_id AND p.entity_id = ANY (resolve_evidence.of_entities)
           AND p.entity_id <> e.id
           AND v.workspace_id = p.workspace_id AND v.chunk_id = p.chunk_id AND v.name_key = p.name_key
        RETURNING v.entity_id
    )
    SELECT array_agg(DISTINCT m.entity_id) INTO gained FROM moved m;

    PERFORM pgrag.make_meant_relations(resolve_evidence.workspace_id, relations, keys);
    UPDATE pgrag.relation_evidence v SET relation_id = r.id
      FROM pgrag.evidence_at(resolve_evidence.workspace_id, relations, keys) p
      LEFT JOIN pgrag.entity a ON a.workspace_id = resolve_evidence.workspace_id AND a.name_key = p.source_means
      LEFT JOIN pgrag.entity b ON b.workspace_id = resolve_evidence.workspace_id AND b.name_key = p.target_means
      LEFT JOIN pgrag.relation r ON r.workspace_id = resolve_evidence.workspace_id
                                AND least(r.source_id, r.target_id) = least(a.id, b.id)
                                AND greatest(r.source_id, r.target_id) = greatest(a.id, b.id)
     WHERE v.workspace_id = resolve_evidence.workspace_id AND v.chunk_id = p.chunk_id
       AND v.source_key = p.source_key AND v.target_key = p.target_key AND v.relation_id IS DISTINCT FROM r.id;

    entity_ids := resolve_evidence.of_entities || gained;
    relation_ids := relations || pgrag.relations_of(resolve_evidence.workspace_id, entity_ids);
    RETURN NEXT;
END $$;
COMMENT ON FUNCTION pgrag.resolve_evidence(bigint, bigint[]) IS
    'Finds anew what the evidence of entities means, after an alias came or went; entities and relations that are needed are made.';
