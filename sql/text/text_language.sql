-- The text search configuration of a workspace: what set_text_language() has set, else simple. Error undefined_object when
-- that configuration is no more.
CREATE OR REPLACE FUNCTION pgrag.text_language(workspace_id bigint)
RETURNS regconfig
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(w.settings ->> 'text_language', 'pg_catalog.simple')::regconfig
      FROM pgrag.workspace w
     WHERE w.id = text_language.workspace_id;
END;
COMMENT ON FUNCTION pgrag.text_language(bigint) IS
    'The text search configuration of a workspace: what set_text_language() has set, else simple.';
