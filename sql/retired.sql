-- Every signature that pgrag once had and has no more: DROP FUNCTION IF EXISTS … lines. Append only; safe to replay.
DROP FUNCTION IF EXISTS pgrag.add_entity_evidence(bigint, jsonb, jsonb);
DROP FUNCTION IF EXISTS pgrag.delete_document(text, text);
DROP FUNCTION IF EXISTS pgrag.list_documents(text);
DROP FUNCTION IF EXISTS pgrag.stated_entities(bigint), pgrag.stated_relations();  -- they return more now
