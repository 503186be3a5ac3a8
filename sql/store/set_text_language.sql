-- Sets the text search configuration that the chunks of a workspace are searched by (english, german, public.my_own …; \dF
-- lists them; NULL: simple, which knows no stems and no stop words and suits any language), and reads all its chunks anew:
-- how many. Whoever writes chunks waits meanwhile. Errors: RG001 for a configuration that is not there, RG002.
CREATE OR REPLACE FUNCTION pgrag.set_text_language(workspace text, language text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(set_text_language.workspace);
    named text;
    changed bigint;
BEGIN
    SELECT format('%I.%I', n.nspname, c.cfgname) INTO named
      FROM pg_ts_config c
      JOIN pg_namespace n ON n.oid = c.cfgnamespace
     WHERE set_text_language.language IN (c.cfgname, n.nspname || '.' || c.cfgname)
     ORDER BY n.nspname <> 'pg_catalog', n.nspname
     LIMIT 1;
    PERFORM pgrag.require(named IS NOT NULL OR set_text_language.language IS NULL,
        format('unknown language %L', set_text_language.language), 'SELECT cfgname FROM pg_ts_config lists those there are.');
    LOCK TABLE pgrag.chunk IN SHARE ROW EXCLUSIVE MODE;
    UPDATE pgrag.workspace w
       SET settings = CASE WHEN named IS NULL THEN w.settings - 'text_language'
                           ELSE jsonb_set(w.settings, '{text_language}', to_jsonb(named)) END
     WHERE w.id = in_workspace;
    UPDATE pgrag.chunk c SET content = c.content WHERE c.workspace_id = in_workspace;
    GET DIAGNOSTICS changed = ROW_COUNT;
    PERFORM pgrag.bump_version(in_workspace);
    RETURN changed;
END $$;
COMMENT ON FUNCTION pgrag.set_text_language(text, text) IS
    'Sets the text search configuration that the chunks of a workspace are searched by, and reads all its chunks anew.';
