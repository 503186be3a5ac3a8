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

CREATE TABLE pgrag.entity (
    workspace_id       bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    id                 bigint GENERATED ALWAYS AS IDENTITY,
    name               text NOT NULL CHECK (name <> ''),
    name_key           text NOT NULL CHECK (name_key <> ''),
    type               text NOT NULL,
    description        text NOT NULL DEFAULT '',
    description_source text NOT NULL DEFAULT 'joined'
                       CHECK (description_source IN ('joined', 'summarized', 'manual', 'imported')),
    stated_type        text,
    stated_description text,
    by_hand            boolean NOT NULL DEFAULT false,
    degree             int NOT NULL DEFAULT 0 CHECK (degree >= 0),
    token_count        int NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    stale              boolean NOT NULL DEFAULT true,
    created_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    UNIQUE (workspace_id, name_key)
) WITH (fillfactor = 85);
CREATE INDEX entity_by_name_trigram ON pgrag.entity USING gin (name_key gin_trgm_ops);
CREATE INDEX entity_stale ON pgrag.entity (workspace_id, id) WHERE stale;
CREATE INDEX entity_by_degree ON pgrag.entity (workspace_id, degree DESC, name_key);
COMMENT ON TABLE  pgrag.entity IS 'A thing that documents speak of. Derived from its evidence, except what was stated by hand or by an import.';
COMMENT ON COLUMN pgrag.entity.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.entity.id IS 'Key within the workspace.';
COMMENT ON COLUMN pgrag.entity.name IS 'Its most frequent spelling.';
COMMENT ON COLUMN pgrag.entity.name_key IS 'pgrag.name_key(name): two names with one key are one entity.';
COMMENT ON COLUMN pgrag.entity.type IS 'Its most frequent type, lower case; UNKNOWN when no evidence describes it.';
COMMENT ON COLUMN pgrag.entity.description IS 'Its distinct descriptions, joined by <SEP>, or a summary of them.';
COMMENT ON COLUMN pgrag.entity.description_source IS 'joined, summarized, manual or imported.';
COMMENT ON COLUMN pgrag.entity.stated_type IS 'Type stated by an import; wins over the evidence.';
COMMENT ON COLUMN pgrag.entity.stated_description IS 'Description stated by an import: the first fragment of the description.';
COMMENT ON COLUMN pgrag.entity.by_hand IS 'Made without evidence: it stays when it has none.';
COMMENT ON COLUMN pgrag.entity.degree IS 'How many relations it is an end of.';
COMMENT ON COLUMN pgrag.entity.token_count IS 'Tokens of its line in the prompt, the newline included.';
COMMENT ON COLUMN pgrag.entity.stale IS 'Its embedding or token count does not fit its description yet.';
COMMENT ON COLUMN pgrag.entity.created_at IS 'When it was first seen.';
COMMENT ON COLUMN pgrag.entity.updated_at IS 'When its name, type or description last changed.';

CREATE TABLE pgrag.entity_alias (
    workspace_id  bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    alias_key     text NOT NULL CHECK (alias_key <> ''),
    alias         text NOT NULL,
    canonical_key text NOT NULL CHECK (canonical_key <> ''),
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, alias_key),
    CHECK (alias_key <> canonical_key)
);
COMMENT ON TABLE  pgrag.entity_alias IS 'Another name of an entity; every writer resolves names through it. Outlives the entity.';
COMMENT ON COLUMN pgrag.entity_alias.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.entity_alias.alias_key IS 'pgrag.name_key(alias).';
COMMENT ON COLUMN pgrag.entity_alias.alias IS 'The other name, as said.';
COMMENT ON COLUMN pgrag.entity_alias.canonical_key IS 'name_key of the entity that is meant.';
COMMENT ON COLUMN pgrag.entity_alias.created_at IS 'When it was remembered.';

CREATE TABLE pgrag.relation (
    workspace_id       bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    id                 bigint GENERATED ALWAYS AS IDENTITY,
    source_id          bigint NOT NULL,
    target_id          bigint NOT NULL,
    keywords           text[] NOT NULL DEFAULT '{}',
    description        text NOT NULL DEFAULT '',
    description_source text NOT NULL DEFAULT 'joined'
                       CHECK (description_source IN ('joined', 'summarized', 'manual', 'imported')),
    stated_keywords    text[],
    stated_description text,
    stated_weight      float8,
    by_hand            boolean NOT NULL DEFAULT false,
    weight             float8 NOT NULL DEFAULT 1,
    token_count        int NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    stale              boolean NOT NULL DEFAULT true,
    created_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, source_id) REFERENCES pgrag.entity ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, target_id) REFERENCES pgrag.entity ON DELETE CASCADE,
    CHECK (source_id <> target_id)
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX relation_by_ends ON pgrag.relation (workspace_id, least(source_id, target_id), greatest(source_id, target_id));
CREATE INDEX relation_by_source ON pgrag.relation (workspace_id, source_id);
CREATE INDEX relation_by_target ON pgrag.relation (workspace_id, target_id);
CREATE INDEX relation_stale ON pgrag.relation (workspace_id, id) WHERE stale;
COMMENT ON TABLE  pgrag.relation IS 'Two entities that have to do with each other; undirected, one row a pair. Derived from its evidence.';
COMMENT ON COLUMN pgrag.relation.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.relation.id IS 'Key within the workspace.';
COMMENT ON COLUMN pgrag.relation.source_id IS 'One end, in the direction first said.';
COMMENT ON COLUMN pgrag.relation.target_id IS 'The other end.';
COMMENT ON COLUMN pgrag.relation.keywords IS 'The distinct keywords of its evidence, sorted.';
COMMENT ON COLUMN pgrag.relation.description IS 'Its distinct descriptions, joined by <SEP>, or a summary of them.';
COMMENT ON COLUMN pgrag.relation.description_source IS 'joined, summarized, manual or imported.';
COMMENT ON COLUMN pgrag.relation.stated_keywords IS 'Keywords stated by an import; united with those of the evidence.';
COMMENT ON COLUMN pgrag.relation.stated_description IS 'Description stated by an import: the first fragment of the description.';
COMMENT ON COLUMN pgrag.relation.stated_weight IS 'Weight of a relation made without evidence.';
COMMENT ON COLUMN pgrag.relation.by_hand IS 'Made without evidence: it stays when it has none.';
COMMENT ON COLUMN pgrag.relation.weight IS 'Sum of the weights of its evidence, one for each chunk.';
COMMENT ON COLUMN pgrag.relation.token_count IS 'Tokens of its line in the prompt, the newline included.';
COMMENT ON COLUMN pgrag.relation.stale IS 'Its embedding or token count does not fit its text yet.';
COMMENT ON COLUMN pgrag.relation.created_at IS 'When it was first seen.';
COMMENT ON COLUMN pgrag.relation.updated_at IS 'When its keywords, description or weight last changed.';

CREATE TABLE pgrag.entity_evidence (
    workspace_id bigint NOT NULL,
    entity_id    bigint NOT NULL,
    chunk_id     bigint NOT NULL,
    ordinal      int NOT NULL,
    name         text NOT NULL,
    type         text,
    description  text NOT NULL DEFAULT '',
    kind         text NOT NULL DEFAULT 'described' CHECK (kind IN ('described', 'endpoint')),
    stated_order int,
    PRIMARY KEY (workspace_id, entity_id, chunk_id),
    FOREIGN KEY (workspace_id, entity_id) REFERENCES pgrag.entity ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, chunk_id) REFERENCES pgrag.chunk ON DELETE CASCADE
);
CREATE INDEX entity_evidence_by_chunk ON pgrag.entity_evidence (workspace_id, chunk_id);
COMMENT ON TABLE  pgrag.entity_evidence IS 'What one chunk says of one entity.';
COMMENT ON COLUMN pgrag.entity_evidence.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.entity_evidence.entity_id IS 'The entity.';
COMMENT ON COLUMN pgrag.entity_evidence.chunk_id IS 'The chunk.';
COMMENT ON COLUMN pgrag.entity_evidence.ordinal IS 'Its place in the reply of the model, or in the import.';
COMMENT ON COLUMN pgrag.entity_evidence.name IS 'The name as said.';
COMMENT ON COLUMN pgrag.entity_evidence.type IS 'The type as said.';
COMMENT ON COLUMN pgrag.entity_evidence.description IS 'The description as said; of an endpoint: what the relation says.';
COMMENT ON COLUMN pgrag.entity_evidence.kind IS 'described, or endpoint: only named as the end of a relation.';
COMMENT ON COLUMN pgrag.entity_evidence.stated_order IS 'Its place in the evidence list of an import; NULL: by document, chunk and ordinal.';

CREATE TABLE pgrag.relation_evidence (
    workspace_id bigint NOT NULL,
    relation_id  bigint NOT NULL,
    chunk_id     bigint NOT NULL,
    ordinal      int NOT NULL,
    source       text NOT NULL,
    target       text NOT NULL,
    keywords     text[] NOT NULL DEFAULT '{}',
    weight       float8 NOT NULL DEFAULT 1,
    description  text NOT NULL DEFAULT '',
    stated_order int,
    PRIMARY KEY (workspace_id, relation_id, chunk_id),
    FOREIGN KEY (workspace_id, relation_id) REFERENCES pgrag.relation ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, chunk_id) REFERENCES pgrag.chunk ON DELETE CASCADE
);
CREATE INDEX relation_evidence_by_chunk ON pgrag.relation_evidence (workspace_id, chunk_id);
COMMENT ON TABLE  pgrag.relation_evidence IS 'What one chunk says of one relation.';
COMMENT ON COLUMN pgrag.relation_evidence.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.relation_evidence.relation_id IS 'The relation.';
COMMENT ON COLUMN pgrag.relation_evidence.chunk_id IS 'The chunk.';
COMMENT ON COLUMN pgrag.relation_evidence.ordinal IS 'Its place in the reply of the model, or in the import.';
COMMENT ON COLUMN pgrag.relation_evidence.source IS 'The one end as said.';
COMMENT ON COLUMN pgrag.relation_evidence.target IS 'The other end as said.';
COMMENT ON COLUMN pgrag.relation_evidence.keywords IS 'The keywords as said.';
COMMENT ON COLUMN pgrag.relation_evidence.weight IS 'The weight as said.';
COMMENT ON COLUMN pgrag.relation_evidence.description IS 'The description as said.';
COMMENT ON COLUMN pgrag.relation_evidence.stated_order IS 'Its place in the evidence list of an import; NULL: by document, chunk and ordinal.';

CREATE TABLE pgrag.chunk_embedding (
    workspace_id bigint NOT NULL,
    chunk_id     bigint NOT NULL,
    embedding    halfvec({dimensions}) NOT NULL,
    PRIMARY KEY (workspace_id, chunk_id),
    FOREIGN KEY (workspace_id, chunk_id) REFERENCES pgrag.chunk ON DELETE CASCADE
);
CREATE TABLE pgrag.entity_embedding (
    workspace_id bigint NOT NULL,
    entity_id    bigint NOT NULL,
    text_hash    text NOT NULL,
    embedding    halfvec({dimensions}) NOT NULL,
    PRIMARY KEY (workspace_id, entity_id),
    FOREIGN KEY (workspace_id, entity_id) REFERENCES pgrag.entity ON DELETE CASCADE
);
CREATE TABLE pgrag.relation_embedding (
    workspace_id bigint NOT NULL,
    relation_id  bigint NOT NULL,
    text_hash    text NOT NULL,
    embedding    halfvec({dimensions}) NOT NULL,
    PRIMARY KEY (workspace_id, relation_id),
    FOREIGN KEY (workspace_id, relation_id) REFERENCES pgrag.relation ON DELETE CASCADE
);
CREATE INDEX chunk_embedding_hnsw ON pgrag.chunk_embedding USING hnsw (embedding halfvec_cosine_ops);
CREATE INDEX entity_embedding_hnsw ON pgrag.entity_embedding USING hnsw (embedding halfvec_cosine_ops);
CREATE INDEX relation_embedding_hnsw ON pgrag.relation_embedding USING hnsw (embedding halfvec_cosine_ops);
COMMENT ON TABLE  pgrag.chunk_embedding IS 'The vector of a chunk.';
COMMENT ON COLUMN pgrag.chunk_embedding.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.chunk_embedding.chunk_id IS 'The chunk.';
COMMENT ON COLUMN pgrag.chunk_embedding.embedding IS 'Embedding of its content.';
COMMENT ON TABLE  pgrag.entity_embedding IS 'The vector of an entity.';
COMMENT ON COLUMN pgrag.entity_embedding.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.entity_embedding.entity_id IS 'The entity.';
COMMENT ON COLUMN pgrag.entity_embedding.text_hash IS 'md5 of the text that was embedded (pgrag.entity_text).';
COMMENT ON COLUMN pgrag.entity_embedding.embedding IS 'Embedding of name, newline, description.';
COMMENT ON TABLE  pgrag.relation_embedding IS 'The vector of a relation.';
COMMENT ON COLUMN pgrag.relation_embedding.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.relation_embedding.relation_id IS 'The relation.';
COMMENT ON COLUMN pgrag.relation_embedding.text_hash IS 'md5 of the text that was embedded (pgrag.relation_text).';
COMMENT ON COLUMN pgrag.relation_embedding.embedding IS 'Embedding of keywords, tab, source, newline, target, newline, description.';

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
