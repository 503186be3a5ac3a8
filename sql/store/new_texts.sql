-- What of a document's replies the workspace does not know yet, as the texts that its vectors will be made from and the
-- lines whose tokens will be counted: one row for each new entity or relation. Rows as publish_document takes them. Asked
-- before publishing, so that what is new is found by its vector from the moment it is visible. Ordered by text.
CREATE OR REPLACE FUNCTION pgrag.new_texts(workspace text, entities jsonb, relations jsonb)
RETURNS TABLE (text_hash text, embedded_text text, line text)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(new_texts.workspace);
BEGIN
    PERFORM pgrag.expect_many(jsonb_array_length(new_texts.entities) + jsonb_array_length(new_texts.relations));
    RETURN QUERY
    SELECT u.* FROM pgrag.unknown_texts(in_workspace, new_texts.entities, new_texts.relations) u;
    PERFORM pgrag.expect_many(0);
END $$;
COMMENT ON FUNCTION pgrag.new_texts(text, jsonb, jsonb) IS
    'What of a document''s replies the workspace does not know yet, as the texts that its vectors will be made from.';
