-- Entities and relations, derived from their evidence: what each chunk says of them, a row each.

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
