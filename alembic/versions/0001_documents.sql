-- The truth of pgrag, as tables. Documents become chunks; what a chunk says of an entity or a relation is a row of
-- evidence; entities and relations are derived from their evidence; vectors lie in tables of their own, so that a
-- change of counters or descriptions never touches a vector index. workspace_id leads every key.

CREATE TABLE pgrag.setting (
    singleton            boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    embedding_model      text NOT NULL,
    embedding_dimensions int  NOT NULL CHECK (embedding_dimensions BETWEEN 1 AND 4000),
    tokenizer            text NOT NULL,
    graph_backend        text NOT NULL DEFAULT 'auto' CHECK (graph_backend IN ('auto', 'age', 'sql'))
);
COMMENT ON TABLE  pgrag.setting IS 'What is true of the whole database: one row, written when it is migrated.';
COMMENT ON COLUMN pgrag.setting.singleton IS 'Always true: there is one row.';
COMMENT ON COLUMN pgrag.setting.embedding_model IS 'Name of the model that made the embeddings.';
COMMENT ON COLUMN pgrag.setting.embedding_dimensions IS 'Dimensions of every embedding.';
COMMENT ON COLUMN pgrag.setting.tokenizer IS 'tiktoken encoding that token_count columns are counted in.';
COMMENT ON COLUMN pgrag.setting.graph_backend IS 'How one hop is walked: auto, age (Cypher) or sql (join).';

CREATE TABLE pgrag.workspace (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name           text NOT NULL UNIQUE CHECK (name <> ''),
    settings       jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
    corpus_version bigint NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE  pgrag.workspace IS 'A corpus of its own: nothing is shared between workspaces.';
COMMENT ON COLUMN pgrag.workspace.id IS 'Key; leads the keys of all other tables.';
COMMENT ON COLUMN pgrag.workspace.name IS 'The name that callers use.';
COMMENT ON COLUMN pgrag.workspace.settings IS 'Options of this workspace.';
COMMENT ON COLUMN pgrag.workspace.corpus_version IS 'Grows with every change that retrieval could see; cached answers of older versions are not used.';
COMMENT ON COLUMN pgrag.workspace.created_at IS 'When it was created.';

CREATE TABLE pgrag.document (
    workspace_id bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    id           bigint GENERATED ALWAYS AS IDENTITY,
    document_key text NOT NULL CHECK (document_key <> ''),
    file_path    text NOT NULL,
    source_path  text,
    content      text,
    content_hash text,
    metadata     jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    status       text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'extracting', 'ready', 'failed')),
    error        text,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    ready_at     timestamptz,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, document_key)
);
CREATE INDEX document_by_status ON pgrag.document (workspace_id, status);
CREATE INDEX document_by_file_path ON pgrag.document (workspace_id, file_path);
CREATE INDEX document_by_metadata ON pgrag.document USING gin (metadata jsonb_path_ops);
COMMENT ON TABLE  pgrag.document IS 'A text as the caller gave it. Its chunks and evidence appear, and are replaced, in one transaction.';
COMMENT ON COLUMN pgrag.document.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.document.id IS 'Key within the workspace.';
COMMENT ON COLUMN pgrag.document.document_key IS 'The id that the caller gave; for a file its path relative to the root.';
COMMENT ON COLUMN pgrag.document.file_path IS 'The path shown in references.';
COMMENT ON COLUMN pgrag.document.source_path IS 'Absolute path of the file it was read from; NULL for a string.';
COMMENT ON COLUMN pgrag.document.content IS 'The published text; NULL until the first version is ready.';
COMMENT ON COLUMN pgrag.document.content_hash IS 'SHA-256 of content, hex.';
COMMENT ON COLUMN pgrag.document.metadata IS 'What the caller knows of it; filters ask for containment.';
COMMENT ON COLUMN pgrag.document.status IS 'pending, extracting, ready or failed. A ready document stays ready while a new version is made.';
COMMENT ON COLUMN pgrag.document.error IS 'Why the last attempt failed, in one sentence.';
COMMENT ON COLUMN pgrag.document.created_at IS 'When it was first seen.';
COMMENT ON COLUMN pgrag.document.updated_at IS 'When its status, text or metadata last changed.';
COMMENT ON COLUMN pgrag.document.ready_at IS 'When its present text was published.';

CREATE TABLE pgrag.job (
    workspace_id bigint NOT NULL,
    id           bigint GENERATED ALWAYS AS IDENTITY,
    document_id  bigint NOT NULL,
    content      text NOT NULL,
    content_hash text NOT NULL,
    file_path    text,
    source_path  text,
    metadata     jsonb CHECK (jsonb_typeof(metadata) = 'object'),
    options      jsonb NOT NULL DEFAULT '{}',
    state        text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'working', 'failed')),
    attempts     int NOT NULL DEFAULT 0,
    worker       text,
    lease_until  timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, document_id),
    FOREIGN KEY (workspace_id, document_id) REFERENCES pgrag.document ON DELETE CASCADE
);
CREATE INDEX job_by_state ON pgrag.job (workspace_id, state, id);
COMMENT ON TABLE  pgrag.job IS 'A version of a document that is still to be published: at most one for each document.';
COMMENT ON COLUMN pgrag.job.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.job.id IS 'Key within the workspace; jobs are taken in this order.';
COMMENT ON COLUMN pgrag.job.document_id IS 'The document.';
COMMENT ON COLUMN pgrag.job.content IS 'The text that will replace document.content.';
COMMENT ON COLUMN pgrag.job.content_hash IS 'SHA-256 of content, hex.';
COMMENT ON COLUMN pgrag.job.file_path IS 'Will replace document.file_path, unless NULL.';
COMMENT ON COLUMN pgrag.job.source_path IS 'Will replace document.source_path, unless NULL.';
COMMENT ON COLUMN pgrag.job.metadata IS 'Will replace document.metadata, unless NULL.';
COMMENT ON COLUMN pgrag.job.options IS 'Options of this ingest (chunk size).';
COMMENT ON COLUMN pgrag.job.state IS 'queued, working (a worker holds the lease) or failed.';
COMMENT ON COLUMN pgrag.job.attempts IS 'How often a worker has taken it.';
COMMENT ON COLUMN pgrag.job.worker IS 'Who works on it.';
COMMENT ON COLUMN pgrag.job.lease_until IS 'After this time another worker may take it.';
COMMENT ON COLUMN pgrag.job.created_at IS 'When it was queued.';

CREATE TABLE pgrag.chunk (
    workspace_id bigint NOT NULL,
    id           bigint GENERATED ALWAYS AS IDENTITY,
    document_id  bigint NOT NULL,
    chunk_key    text,
    chunk_index  int NOT NULL CHECK (chunk_index >= 0),
    content      text NOT NULL,
    token_count  int NOT NULL CHECK (token_count >= 0),
    metadata     jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(metadata) = 'object'),
    fts          tsvector GENERATED ALWAYS AS (to_tsvector('pg_catalog.simple', content)) STORED,
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, document_id, chunk_index),
    UNIQUE (workspace_id, chunk_key),
    FOREIGN KEY (workspace_id, document_id) REFERENCES pgrag.document ON DELETE CASCADE
);
CREATE INDEX chunk_by_fts ON pgrag.chunk USING gin (fts);
COMMENT ON TABLE  pgrag.chunk IS 'A passage of a document: what is embedded, searched, cited and shown to the model.';
COMMENT ON COLUMN pgrag.chunk.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.chunk.id IS 'Key within the workspace.';
COMMENT ON COLUMN pgrag.chunk.document_id IS 'The document it is part of.';
COMMENT ON COLUMN pgrag.chunk.chunk_key IS 'The id that an import gave it; NULL for chunks of our own.';
COMMENT ON COLUMN pgrag.chunk.chunk_index IS 'Its place in the document, from 0.';
COMMENT ON COLUMN pgrag.chunk.content IS 'Its text.';
COMMENT ON COLUMN pgrag.chunk.token_count IS 'Tokens of content in the tokenizer of pgrag.setting.';
COMMENT ON COLUMN pgrag.chunk.metadata IS 'Headings, pages and the like.';
COMMENT ON COLUMN pgrag.chunk.fts IS 'Its words, for full-text search.';
