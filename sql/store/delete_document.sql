-- Deletes a document (by id, or by file path where no id fits) and exactly what only it said, in one transaction: its
-- chunks and their vectors, its evidence, entities and relations without any evidence left; what it shared is derived
-- anew from the rest. What models replied about its chunks stays kept, so that taking it in again costs nothing; without
-- `keep_extractions` it goes too, except for chunks that another document has as well.
-- The ids of the documents deleted. Error RG006 when there is none.
CREATE OR REPLACE FUNCTION pgrag.delete_document(workspace text, document text, keep_extractions boolean DEFAULT true)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(delete_document.workspace);
    gone         pgrag.document;
    said         record;
    found_any    boolean := false;
BEGIN
    PERFORM pgrag.lock_names(in_workspace);
    -- Jobs before documents, as workers lock them.
    PERFORM FROM pgrag.job j
       JOIN pgrag.document d ON d.workspace_id = j.workspace_id AND d.id = j.document_id
      WHERE j.workspace_id = in_workspace
        AND d.document_key = ANY (pgrag.documents_named(in_workspace, delete_document.document))
      ORDER BY j.id FOR UPDATE OF j;
    FOR gone IN
        SELECT d.* FROM pgrag.document d
         WHERE d.workspace_id = in_workspace
           AND d.document_key = ANY (pgrag.documents_named(in_workspace, delete_document.document))
         ORDER BY d.document_key COLLATE "C"
           FOR UPDATE
    LOOP
        found_any := true;
        IF NOT delete_document.keep_extractions THEN
            PERFORM pgrag.forget_extractions_of(in_workspace, gone.id);
        END IF;
        SELECT * INTO said FROM pgrag.items_of_document(in_workspace, gone.id);
        PERFORM FROM pgrag.entity e
          WHERE e.workspace_id = in_workspace AND e.id = ANY (said.entity_ids)
          ORDER BY e.name_key COLLATE "C" FOR NO KEY UPDATE;
        DELETE FROM pgrag.document d WHERE d.workspace_id = in_workspace AND d.id = gone.id;
        PERFORM pgrag.settle(in_workspace, said.entity_ids, said.relation_ids);
        RETURN NEXT gone.document_key;
    END LOOP;
    IF NOT found_any THEN
        RAISE EXCEPTION USING ERRCODE = 'RG006',
            MESSAGE = format('no document %L in workspace %L', delete_document.document, delete_document.workspace),
            HINT = 'pgrag documents list shows those there are.';
    END IF;
    PERFORM pgrag.bump_version(in_workspace);
END $$;
COMMENT ON FUNCTION pgrag.delete_document(text, text, boolean) IS
    'Deletes a document and exactly what only it said, in one transaction. The ids of the documents deleted.';
