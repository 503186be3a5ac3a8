-- Everything about a document (by id, else about all with that file path), by id: what it is and holds, the version under
-- way, and what models were asked for it, by role: {"extract": {"calls", "cached", "prompt_tokens", "completion_tokens"}}.
-- Error RG006 when there is none.
CREATE OR REPLACE FUNCTION pgrag.document_details(workspace text, named text)
RETURNS TABLE (document text, file_path text, source_path text, status text, error text, metadata jsonb,
               content_hash text, characters int, chunk_count bigint, entity_count int, relation_count int,
               job_state text, attempts int, worker text, lease_until timestamptz, usage jsonb,
               created_at timestamptz, updated_at timestamptz, ready_at timestamptz)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(document_details.workspace);
BEGIN
    RETURN QUERY
    SELECT s.document, s.file_path, d.source_path, s.status, s.error, s.metadata,
           d.content_hash, s.characters, s.chunk_count, cardinality(said.entity_ids), cardinality(said.relation_ids),
           s.job_state, s.attempts, s.worker, s.lease_until, coalesce(asked_for.usage, '{}'),
           s.created_at, s.updated_at, s.ready_at
      FROM pgrag.document_status s
      JOIN pgrag.document d ON d.workspace_id = in_workspace AND d.document_key = s.document
     CROSS JOIN LATERAL pgrag.items_of_document(in_workspace, d.id) said
     CROSS JOIN LATERAL (
           SELECT jsonb_object_agg(r.role, to_jsonb(r) - 'role') AS usage
             FROM (SELECT u.role, sum(u.calls) AS calls, sum(u.cached) AS cached,
                          sum(u.prompt_tokens) AS prompt_tokens, sum(u.completion_tokens) AS completion_tokens
                     FROM pgrag.model_usage u
                    WHERE u.workspace_id = in_workspace AND u.document_key = d.document_key
                    GROUP BY u.role) r) asked_for
     WHERE s.workspace = document_details.workspace AND s.document = ANY (pgrag.documents_named(in_workspace, document_details.named))
     ORDER BY s.document COLLATE "C";
    IF NOT FOUND THEN
        RAISE EXCEPTION USING ERRCODE = 'RG006',
            MESSAGE = format('no document %L in workspace %L', document_details.named,
                             document_details.workspace),
            HINT = 'pgrag documents list shows those there are.';
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.document_details(text, text) IS
    'Everything about a document: what it holds, the version under way, and what models were asked for it.';
