-- No table changes: the columns say more exactly what they hold.
COMMENT ON COLUMN pgrag.extraction.content_hash IS 'SHA-256, hex, of the chunk''s text, or of its section and its text where it stands under headings.';
COMMENT ON COLUMN pgrag.extraction.prompt_digest IS 'Digest of the prompt templates, their settings, and the rounds of gleaning that the reply has behind it.';
COMMENT ON COLUMN pgrag.extraction.reply IS '{"entities": […], "relations": […]}, cleaned; of all rounds together.';
COMMENT ON COLUMN pgrag.model_usage.document_key IS 'The document it was for, also one that failed or was deleted; NULL for questions, and for vectors of entities that several documents speak of.';
COMMENT ON COLUMN pgrag.model_usage.calls IS 'Requests that the model worked on, repeated ones too.';
COMMENT ON COLUMN pgrag.model_usage.cached IS 'Chunks that nothing was asked for, because their replies were kept.';
COMMENT ON COLUMN pgrag.model_usage.prompt_tokens IS 'Tokens sent, as the server counts them; where it does not tell, and for embeddings, as pgrag''s tokenizer does.';
COMMENT ON COLUMN pgrag.model_usage.completion_tokens IS 'Tokens received, counted likewise.';
