-- What models have said, and what it cost.

CREATE TABLE pgrag.extraction (
    workspace_id  bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    content_hash  text NOT NULL,
    model         text NOT NULL,
    prompt_digest text NOT NULL,
    reply         jsonb NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, content_hash, model, prompt_digest)
);
COMMENT ON TABLE  pgrag.extraction IS 'A parsed reply of the extraction model, kept as soon as it is there: no reply is paid for twice.';
COMMENT ON COLUMN pgrag.extraction.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.extraction.content_hash IS 'SHA-256 of the chunk''s text, hex.';
COMMENT ON COLUMN pgrag.extraction.model IS 'Name of the chat model.';
COMMENT ON COLUMN pgrag.extraction.prompt_digest IS 'Digest of the prompt templates and their settings.';
COMMENT ON COLUMN pgrag.extraction.reply IS '{"entities": […], "relations": […]}, cleaned.';
COMMENT ON COLUMN pgrag.extraction.created_at IS 'When the model replied.';

CREATE TABLE pgrag.query_cache (
    workspace_id   bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    kind           text NOT NULL CHECK (kind IN ('answer', 'keywords')),
    key            text NOT NULL,
    value          jsonb NOT NULL,
    corpus_version bigint,
    created_at     timestamptz NOT NULL DEFAULT now(),
    expires_at     timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, kind, key)
);
CREATE INDEX query_cache_by_age ON pgrag.query_cache (workspace_id, created_at);
COMMENT ON TABLE  pgrag.query_cache IS 'Answers and keywords of questions asked before.';
COMMENT ON COLUMN pgrag.query_cache.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.query_cache.kind IS 'answer or keywords.';
COMMENT ON COLUMN pgrag.query_cache.key IS 'Digest of the question and of everything that shapes the reply.';
COMMENT ON COLUMN pgrag.query_cache.value IS 'The reply.';
COMMENT ON COLUMN pgrag.query_cache.corpus_version IS 'The corpus that was answered from; NULL for keywords, which depend on the question alone.';
COMMENT ON COLUMN pgrag.query_cache.created_at IS 'When it was kept.';
COMMENT ON COLUMN pgrag.query_cache.expires_at IS 'Not used after this time.';

CREATE TABLE pgrag.model_usage (
    workspace_id      bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    id                bigint GENERATED ALWAYS AS IDENTITY,
    document_key      text,
    role              text NOT NULL CHECK (role IN ('extract', 'keywords', 'summary', 'answer', 'embed', 'rerank')),
    model             text NOT NULL,
    calls             int NOT NULL DEFAULT 0,
    cached            int NOT NULL DEFAULT 0,
    prompt_tokens     bigint NOT NULL DEFAULT 0,
    completion_tokens bigint NOT NULL DEFAULT 0,
    created_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX model_usage_by_time ON pgrag.model_usage (workspace_id, created_at);
COMMENT ON TABLE  pgrag.model_usage IS 'What was asked of models, and what it cost. Append only.';
COMMENT ON COLUMN pgrag.model_usage.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.model_usage.id IS 'Key within the workspace.';
COMMENT ON COLUMN pgrag.model_usage.document_key IS 'The document it was for; NULL for questions.';
COMMENT ON COLUMN pgrag.model_usage.role IS 'extract, keywords, summary, answer, embed or rerank.';
COMMENT ON COLUMN pgrag.model_usage.model IS 'Name of the model.';
COMMENT ON COLUMN pgrag.model_usage.calls IS 'Requests sent.';
COMMENT ON COLUMN pgrag.model_usage.cached IS 'Requests saved, because the reply was kept.';
COMMENT ON COLUMN pgrag.model_usage.prompt_tokens IS 'Tokens sent, as the server counts them.';
COMMENT ON COLUMN pgrag.model_usage.completion_tokens IS 'Tokens received.';
COMMENT ON COLUMN pgrag.model_usage.created_at IS 'When.';
