-- The token budget of a workspace (NULL: none), and what models were asked for it ever, tokens sent and received, of
-- questions too: one row. Error RG002.
CREATE OR REPLACE FUNCTION pgrag.workspace_budget(workspace text)
RETURNS TABLE (max_tokens bigint, spent_tokens bigint)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT (w.settings ->> 'max_tokens')::bigint,
           (SELECT coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::bigint
              FROM pgrag.model_usage u WHERE u.workspace_id = w.id)
      FROM pgrag.workspace w
     WHERE w.id = pgrag.workspace_id(workspace_budget.workspace);
END;
COMMENT ON FUNCTION pgrag.workspace_budget(text) IS
    'The token budget of a workspace (NULL: none), and what models were asked for it ever.';
