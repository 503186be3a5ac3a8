-- Every signature that pgrag once had and has no more: DROP FUNCTION IF EXISTS … lines. Append only; safe to replay.
DROP FUNCTION IF EXISTS pgrag.add_entity_evidence(bigint, jsonb, jsonb);
DROP FUNCTION IF EXISTS pgrag.delete_document(text, text);
DROP FUNCTION IF EXISTS pgrag.list_documents(text);
DROP FUNCTION IF EXISTS pgrag.stated_entities(bigint), pgrag.stated_relations();  -- they return more now
DROP FUNCTION IF EXISTS pgrag.pick_chunks_by_weight(bigint, int[], bigint[], int[], int, int) CASCADE;
DROP FUNCTION IF EXISTS pgrag.pick_chunks(bigint, vector, int[], bigint[], int[], int, int) CASCADE;
DROP FUNCTION IF EXISTS pgrag.chunks_of_entities(bigint, bigint[], jsonb) CASCADE;  -- they return more now
DROP FUNCTION IF EXISTS pgrag.chunks_of_relations(bigint, bigint[], bigint[], jsonb) CASCADE;
