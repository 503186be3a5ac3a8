-- Trigger: chunk.fts holds the words of chunk.content, in the language of the workspace.
CREATE OR REPLACE FUNCTION pgrag.keep_words()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    NEW.fts := pgrag.text_words(pgrag.text_language(NEW.workspace_id), NEW.content);
    RETURN NEW;
END $$;
COMMENT ON FUNCTION pgrag.keep_words() IS
    'Trigger: chunk.fts holds the words of chunk.content, in the language of the workspace.';
