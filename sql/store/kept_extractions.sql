-- The replies kept for these texts (SHA-256, hex) by this model with these prompts; no row for what was never asked.
CREATE OR REPLACE FUNCTION pgrag.kept_extractions(workspace text, content_hashes text[], model text, prompt_digest text)
RETURNS TABLE (content_hash text, reply jsonb)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT x.content_hash, x.reply
      FROM pgrag.extraction x
     WHERE x.workspace_id = pgrag.workspace_id(kept_extractions.workspace)
       AND x.content_hash = ANY (kept_extractions.content_hashes)
       AND x.model = kept_extractions.model AND x.prompt_digest = kept_extractions.prompt_digest;
END;
COMMENT ON FUNCTION pgrag.kept_extractions(text, text[], text, text) IS
    'The replies kept for these texts by this model with these prompts.';
