-- Takes what lies in the tables of begin_import into a workspace, whole, and says how much it was: documents, chunks,
-- entities (created ends included), relations, lines merged into an earlier one, ends created, self-loops skipped, chunk
-- ids repeated in one item. Error RG001 names the first line that cannot be taken, in `strict` also one that would be
-- mended; then nothing has happened. What came without a fitting embedding stays stale (refresh_pending). The
-- sorts of a large import go through memory, not through files.
CREATE OR REPLACE FUNCTION pgrag.finish_import(workspace text, strict boolean DEFAULT false)
RETURNS TABLE (documents bigint, chunks bigint, entities bigint, relations bigint, merged bigint,
               created_endpoints bigint, skipped_self_loops bigint, repeated_chunk_ids bigint)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET work_mem = '64MB'
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(finish_import.workspace);
    entity_ids   bigint[];
    relation_ids bigint[];
BEGIN
    PERFORM pgrag.lock_names(in_workspace);
    ANALYZE pg_temp.pgrag_import_chunks, pg_temp.pgrag_import_entity_evidence, pg_temp.pgrag_import_relation_evidence;
    PERFORM pgrag.resolve_import(in_workspace);
    PERFORM pgrag.require_importable(in_workspace, finish_import.strict);
    SELECT count(*) FILTER (WHERE o.kind = 'merged'), count(*) FILTER (WHERE o.kind = 'created'),
           count(*) FILTER (WHERE o.kind = 'skipped'), count(*) FILTER (WHERE o.kind = 'repeated')
      INTO merged, created_endpoints, skipped_self_loops, repeated_chunk_ids
      FROM pgrag.oddities_of_import(in_workspace) o;
    DELETE FROM pg_temp.pgrag_import_relations i WHERE i.source_key = i.target_key;

    PERFORM pgrag.import_documents(in_workspace);
    PERFORM pgrag.import_aliases(in_workspace);
    -- With the statistics of empty tables the foreign key checks of a bulk load scan, once for each row.
    ANALYZE pgrag.document, pgrag.chunk, pg_temp.pgrag_import_chunks;
    PERFORM pgrag.import_entities(in_workspace);
    ANALYZE pgrag.entity, pg_temp.pgrag_import_entities, pg_temp.pgrag_import_relations;
    PERFORM pgrag.import_entity_evidence(in_workspace);
    PERFORM pgrag.import_relations(in_workspace);
    ANALYZE pgrag.relation, pg_temp.pgrag_import_relations;
    PERFORM pgrag.import_relation_evidence(in_workspace);
    ANALYZE pgrag.entity_evidence, pgrag.relation_evidence;
    SELECT coalesce(array_agg(DISTINCT x.id), '{}') INTO entity_ids
      FROM (SELECT i.entity_id AS id FROM pg_temp.pgrag_import_entities i
            UNION ALL
            SELECT unnest(ARRAY[i.source_id, i.target_id]) FROM pg_temp.pgrag_import_relations i) x;
    SELECT coalesce(array_agg(DISTINCT i.relation_id), '{}') INTO relation_ids FROM pg_temp.pgrag_import_relations i;
    PERFORM pgrag.settle(in_workspace, entity_ids, relation_ids);
    PERFORM pgrag.keep_given(in_workspace);
    PERFORM pgrag.import_vectors(in_workspace);

    SELECT count(*) INTO documents FROM pg_temp.pgrag_import_documents;
    SELECT count(*) INTO chunks FROM pg_temp.pgrag_import_chunks;
    entities := cardinality(entity_ids);
    relations := cardinality(relation_ids);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN NEXT;
END $$;
COMMENT ON FUNCTION pgrag.finish_import(text, boolean) IS
    'Takes what lies in the tables of begin_import into a workspace, whole, and says how much it was.';
