-- Vectors, in tables of their own: counters and descriptions change without touching a vector index.

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
