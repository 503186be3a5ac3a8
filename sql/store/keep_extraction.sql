-- Keeps the parsed reply for a text, at once and for good: it is never paid for again. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.keep_extraction(workspace text, content_hash text, model text, prompt_digest text, reply jsonb)
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    INSERT INTO pgrag.extraction (workspace_id, content_hash, model, prompt_digest, reply)
    VALUES (pgrag.workspace_id(keep_extraction.workspace), keep_extraction.content_hash, keep_extraction.model,
            keep_extraction.prompt_digest, keep_extraction.reply)
    ON CONFLICT DO NOTHING;
END;
COMMENT ON FUNCTION pgrag.keep_extraction(text, text, text, text, jsonb) IS
    'Keeps the parsed reply for a text, at once and for good: it is never paid for again.';
