-- Sets the token budget of a workspace, for all that is ever asked for it; NULL takes it away. An ingest stops before it
-- would exceed it. Nothing is returned. Errors: RG001 for a negative budget, RG002.
CREATE OR REPLACE FUNCTION pgrag.set_workspace_budget(workspace text, max_tokens bigint)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(set_workspace_budget.workspace);
BEGIN
    PERFORM pgrag.require(coalesce(set_workspace_budget.max_tokens >= 0, true),
                          format('max_tokens must not be negative, got %s', set_workspace_budget.max_tokens));
    UPDATE pgrag.workspace w
       SET settings = CASE WHEN set_workspace_budget.max_tokens IS NULL THEN w.settings - 'max_tokens'
                           ELSE jsonb_set(w.settings, '{max_tokens}', to_jsonb(set_workspace_budget.max_tokens)) END
     WHERE w.id = in_workspace;
END $$;
COMMENT ON FUNCTION pgrag.set_workspace_budget(text, bigint) IS
    'Sets the token budget of a workspace, for all that is ever asked for it; NULL takes it away.';
