-- Keeps the summary of a group of descriptions, at once and for good: it is never paid for again. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.keep_summary(workspace text, content_hash text, model text, prompt_digest text, summary text)
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO pgrag.summary (workspace_id, content_hash, model, prompt_digest, summary)
    VALUES (pgrag.workspace_id(keep_summary.workspace), keep_summary.content_hash, keep_summary.model,
            keep_summary.prompt_digest, keep_summary.summary)
    ON CONFLICT DO NOTHING;
END;
COMMENT ON FUNCTION pgrag.keep_summary(text, text, text, text, text) IS
    'Keeps the summary of a group of descriptions, at once and for good: it is never paid for again.';
