-- Makes a new version of a document visible, whole, in one transaction: chunks and their vectors, evidence, entities,
-- relations, graph, and the vectors of what is new; what only the old version said goes. Returns what the workspace
-- gained. Error RG004 when the worker holds the job no more; then nothing has happened.
--   chunks           [{"chunk_index", "content", "token_count", "metadata"?}], embeddings one for each, same order
--   entities         [{"chunk_index", "name", "type", "description"}] in reply order
--   relations        [{"chunk_index", "source", "target", "keywords", "weight"?, "description"}] in reply order
--   text_hashes …    md5, embedding and line token count of the texts that new_texts asked for
CREATE OR REPLACE FUNCTION pgrag.publish_document(
    workspace text, job_id bigint, worker text, chunks jsonb, embeddings vector[], entities jsonb, relations jsonb,
    text_hashes text[] DEFAULT '{}', text_embeddings vector[] DEFAULT '{}', token_counts int[] DEFAULT '{}')
RETURNS TABLE (document text, chunk_count bigint, entity_count bigint, relation_count bigint)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(publish_document.workspace);
    job          pgrag.job;
    entity_ids   bigint[];
    relation_ids bigint[];
    said         record;
    many         boolean;
BEGIN
    PERFORM pgrag.keep_statistics();
    many := pgrag.expect_many(jsonb_array_length(publish_document.entities)
                              + jsonb_array_length(publish_document.relations));
    SELECT j.* INTO job FROM pgrag.job j
     WHERE j.workspace_id = in_workspace AND j.id = publish_document.job_id
       AND j.state = 'working' AND j.worker = publish_document.worker
       FOR UPDATE;
    IF job.id IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG004',
            MESSAGE = format('job %s is not held by worker %L any more', publish_document.job_id, publish_document.worker),
            HINT = 'Its lease ran out, or a newer version of the document was queued.';
    END IF;
    PERFORM pgrag.lock_names(in_workspace);
    SELECT * INTO said FROM pgrag.items_of_document(in_workspace, job.document_id);
    PERFORM pgrag.replace_chunks(in_workspace, job.document_id, publish_document.chunks, publish_document.embeddings);
    UPDATE pgrag.document d
       SET content = job.content, content_hash = job.content_hash, status = 'ready', error = NULL,
           file_path = coalesce(job.file_path, d.file_path), source_path = coalesce(job.source_path, d.source_path),
           metadata = coalesce(job.metadata, d.metadata), updated_at = now(), ready_at = now()
     WHERE d.workspace_id = in_workspace AND d.id = job.document_id
    RETURNING d.document_key INTO publish_document.document;
    DELETE FROM pgrag.job j WHERE j.workspace_id = in_workspace AND j.id = job.id;

    publish_document.entities := pgrag.attach_chunks(in_workspace, job.document_id, publish_document.entities);
    publish_document.relations := pgrag.attach_chunks(in_workspace, job.document_id, publish_document.relations);
    entity_ids := pgrag.add_entity_evidence(in_workspace, publish_document.entities, publish_document.relations,
                                            said.entity_ids);
    IF many THEN
        ANALYZE pgrag.chunk, pgrag.entity, pgrag.entity_evidence;
    END IF;
    relation_ids := pgrag.add_relation_evidence(in_workspace, publish_document.relations);
    IF many THEN
        ANALYZE pgrag.relation, pgrag.relation_evidence;
    END IF;
    PERFORM pgrag.settle(in_workspace, said.entity_ids || entity_ids, said.relation_ids || relation_ids);
    PERFORM pgrag.embed_items(in_workspace, entity_ids, relation_ids, publish_document.text_hashes,
                              publish_document.text_embeddings, publish_document.token_counts);
    PERFORM pgrag.expect_many(0);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN QUERY SELECT publish_document.document, jsonb_array_length(publish_document.chunks)::bigint,
                        cardinality(entity_ids)::bigint, cardinality(relation_ids)::bigint;
END $$;
COMMENT ON FUNCTION pgrag.publish_document(text, bigint, text, jsonb, vector[], jsonb, jsonb, text[], vector[], int[]) IS
    'Makes a new version of a document visible, whole, in one transaction.';
