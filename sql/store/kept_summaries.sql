-- The summaries kept for these groups of descriptions (SHA-256, hex) by this model with these prompts; no row for what was
-- never asked.
CREATE OR REPLACE FUNCTION pgrag.kept_summaries(workspace text, content_hashes text[], model text, prompt_digest text)
RETURNS TABLE (content_hash text, summary text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT s.content_hash, s.summary
      FROM pgrag.summary s
     WHERE s.workspace_id = pgrag.workspace_id(kept_summaries.workspace)
       AND s.content_hash = ANY (kept_summaries.content_hashes)
       AND s.model = kept_summaries.model AND s.prompt_digest = kept_summaries.prompt_digest;
END;
COMMENT ON FUNCTION pgrag.kept_summaries(text, text[], text, text) IS
    'The summaries kept for these groups of descriptions by this model with these prompts.';
