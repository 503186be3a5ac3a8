-- Evidence is identified by its chunk and the names that were said; the entity or relation that they mean is found through
-- the aliases, and found again when an alias comes or goes. So merging entities moves evidence and loses none of it, and
-- undoing moves it back. A relation whose ends came to mean one entity sleeps: its evidence means no relation.

-- They return more now; the replay makes them anew, with all that stands on them.
DROP FUNCTION IF EXISTS pgrag.said_entities(bigint, jsonb, jsonb), pgrag.said_relations(bigint, jsonb),
    pgrag.refresh_pending(text, int) CASCADE;

ALTER TABLE pgrag.entity_evidence ADD COLUMN name_key text;
UPDATE pgrag.entity_evidence v SET name_key = e.name_key
  FROM pgrag.entity e WHERE e.workspace_id = v.workspace_id AND e.id = v.entity_id;
ALTER TABLE pgrag.entity_evidence
    ALTER COLUMN name_key SET NOT NULL,
    ADD CHECK (name_key <> ''),
    DROP CONSTRAINT entity_evidence_pkey,
    ADD CONSTRAINT entity_evidence_pkey PRIMARY KEY (workspace_id, chunk_id, name_key);
DROP INDEX pgrag.entity_evidence_by_chunk;
CREATE INDEX entity_evidence_by_entity ON pgrag.entity_evidence (workspace_id, entity_id, chunk_id);
COMMENT ON COLUMN pgrag.entity_evidence.entity_id IS 'The entity that is meant: the one of name_key, or of its alias.';
COMMENT ON COLUMN pgrag.entity_evidence.name_key IS 'Key of the name by which its entity is found.';

ALTER TABLE pgrag.relation_evidence ADD COLUMN source_key text, ADD COLUMN target_key text;
UPDATE pgrag.relation_evidence v
   SET source_key = CASE WHEN lower(normalize(btrim(v.source), NFKC)) = b.name_key THEN b.name_key ELSE a.name_key END,
       target_key = CASE WHEN lower(normalize(btrim(v.source), NFKC)) = b.name_key THEN a.name_key ELSE b.name_key END
  FROM pgrag.relation r
  JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
  JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
 WHERE r.workspace_id = v.workspace_id AND r.id = v.relation_id;
ALTER TABLE pgrag.relation_evidence
    ALTER COLUMN source_key SET NOT NULL,
    ALTER COLUMN target_key SET NOT NULL,
    ADD CHECK (source_key <> '' AND target_key <> '' AND source_key <> target_key),
    DROP CONSTRAINT relation_evidence_pkey,
    ADD CONSTRAINT relation_evidence_pkey PRIMARY KEY (workspace_id, chunk_id, source_key, target_key),
    ALTER COLUMN relation_id DROP NOT NULL;
DROP INDEX pgrag.relation_evidence_by_chunk;
CREATE INDEX relation_evidence_by_relation ON pgrag.relation_evidence (workspace_id, relation_id, chunk_id);
COMMENT ON COLUMN pgrag.relation_evidence.relation_id IS 'The relation that is meant; NULL while both names mean one entity.';
COMMENT ON COLUMN pgrag.relation_evidence.source_key IS 'Key of the name by which the source is found.';
COMMENT ON COLUMN pgrag.relation_evidence.target_key IS 'Key of the name by which the target is found.';

-- What hands did wins over what evidence says, until it is taken back.
ALTER TABLE pgrag.entity
    ADD COLUMN edited_name text,
    ADD COLUMN edited_type text,
    ADD COLUMN edited_description text;
UPDATE pgrag.entity e SET edited_type = e.type, edited_description = e.description WHERE e.description_source = 'manual';
ALTER TABLE pgrag.relation
    ADD COLUMN edited_keywords text[],
    ADD COLUMN edited_description text,
    ADD COLUMN edited_weight float8;
UPDATE pgrag.relation r SET edited_keywords = r.keywords, edited_description = r.description, edited_weight = r.weight
 WHERE r.description_source = 'manual';
COMMENT ON COLUMN pgrag.entity.edited_name IS 'Name given by hand; wins over every spelling.';
COMMENT ON COLUMN pgrag.entity.edited_type IS 'Type given by hand; wins over the evidence.';
COMMENT ON COLUMN pgrag.entity.edited_description IS 'Description given by hand; wins over the evidence.';
COMMENT ON COLUMN pgrag.relation.edited_keywords IS 'Keywords given by hand; win over the evidence.';
COMMENT ON COLUMN pgrag.relation.edited_description IS 'Description given by hand; wins over the evidence.';
COMMENT ON COLUMN pgrag.relation.edited_weight IS 'Weight given by hand; wins over the evidence.';

ALTER TABLE pgrag.entity_alias ADD COLUMN kept jsonb CHECK (jsonb_typeof(kept) = 'object');
CREATE INDEX entity_alias_by_canonical_key ON pgrag.entity_alias (workspace_id, canonical_key);
COMMENT ON COLUMN pgrag.entity_alias.kept IS 'What the entity of this name had beside its evidence (stated and edited columns, by_hand) when it was merged away; given back when the merge is undone. Its stated description counts meanwhile.';

-- A description that grows over the limits is summarised; a summary is kept by the digest of what it is a summary of.
ALTER TABLE pgrag.entity
    ADD COLUMN summary_of text,
    ADD COLUMN unsummarized boolean NOT NULL DEFAULT false;
ALTER TABLE pgrag.relation
    ADD COLUMN summary_of text,
    ADD COLUMN unsummarized boolean NOT NULL DEFAULT false;
CREATE INDEX entity_unsummarized ON pgrag.entity (workspace_id, id) WHERE unsummarized;
CREATE INDEX relation_unsummarized ON pgrag.relation (workspace_id, id) WHERE unsummarized;
COMMENT ON COLUMN pgrag.entity.summary_of IS 'md5 of the joined descriptions that the description is a summary of.';
COMMENT ON COLUMN pgrag.entity.unsummarized IS 'The joined descriptions may be over the limits, and nobody has looked yet; it is stale as long.';
COMMENT ON COLUMN pgrag.relation.summary_of IS 'md5 of the joined descriptions that the description is a summary of.';
COMMENT ON COLUMN pgrag.relation.unsummarized IS 'The joined descriptions may be over the limits, and nobody has looked yet; it is stale as long.';

CREATE TABLE pgrag.summary (
    workspace_id  bigint NOT NULL REFERENCES pgrag.workspace ON DELETE CASCADE,
    content_hash  text NOT NULL,
    model         text NOT NULL,
    prompt_digest text NOT NULL,
    summary       text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, content_hash, model, prompt_digest)
);
COMMENT ON TABLE  pgrag.summary IS 'What the model made of a group of descriptions, kept by content: paid for once.';
COMMENT ON COLUMN pgrag.summary.workspace_id IS 'Workspace.';
COMMENT ON COLUMN pgrag.summary.content_hash IS 'SHA-256 of the group, hex.';
COMMENT ON COLUMN pgrag.summary.model IS 'Model that was asked.';
COMMENT ON COLUMN pgrag.summary.prompt_digest IS 'Digest of everything but the descriptions that shapes the reply.';
COMMENT ON COLUMN pgrag.summary.summary IS 'The reply.';
COMMENT ON COLUMN pgrag.summary.created_at IS 'When it was made.';
