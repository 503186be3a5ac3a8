-- Merging and renaming leave aliases behind. An alias knows the name that it stands for, so that an entity which no text
-- calls by that name is called so all the same, also after it was gone for a while.

ALTER TABLE pgrag.entity_alias ADD COLUMN canonical text;
UPDATE pgrag.entity_alias a SET canonical = e.name
  FROM pgrag.entity e WHERE e.workspace_id = a.workspace_id AND e.name_key = a.canonical_key;
CREATE INDEX entity_alias_with_relations ON pgrag.entity_alias (workspace_id, alias_key)
    WHERE kept -> 'relations' IS NOT NULL;
COMMENT ON COLUMN pgrag.entity_alias.canonical IS 'The name that it stands for, as given; NULL when nobody gave one.';
COMMENT ON COLUMN pgrag.entity_alias.kept IS 'Of a merged entity: what it had beside its evidence (name, stated and edited columns, by_hand, the aliases and the statements of relations that went with it); given back when the merge is undone, counts meanwhile. Of a renamed one: renamed_from, and the edited_name it had.';

COMMENT ON COLUMN pgrag.entity.stated_type IS 'Type stated by an import or when it was created by hand; wins over the evidence.';
COMMENT ON COLUMN pgrag.entity.stated_description IS 'Description stated by an import or when it was created by hand: the first fragment of the description.';
COMMENT ON COLUMN pgrag.relation.stated_keywords IS 'Keywords stated by an import or when it was created by hand; united with those of the evidence.';
COMMENT ON COLUMN pgrag.relation.stated_description IS 'Description stated by an import or when it was created by hand: the first fragment of the description.';
