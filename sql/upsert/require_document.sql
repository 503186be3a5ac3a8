-- The key of the document of that id. Error RG006 when there is none.
CREATE OR REPLACE FUNCTION pgrag.require_document(workspace_id bigint, document text)
RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_id bigint;
BEGIN
    SELECT d.id INTO found_id FROM pgrag.document d
     WHERE d.workspace_id = require_document.workspace_id AND d.document_key = require_document.document;
    IF found_id IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG006',
            MESSAGE = format('no document %L in workspace %L', require_document.document,
                             (SELECT w.name FROM pgrag.workspace w WHERE w.id = require_document.workspace_id)),
            HINT = 'pgrag documents list shows those there are; upsert_document makes one.';
    END IF;
    RETURN found_id;
END $$;
COMMENT ON FUNCTION pgrag.require_document(bigint, text) IS
    'The key of the document of that id. Error RG006 when there is none.';
