-- Makes the temporary tables that an import is copied into; they go with the transaction. Fill them, in the columns named
-- here, then call finish_import (or check_import). `line` is a line number from 1 in the file of the same name, `place` the
-- place of a piece in its line's evidence. What the caller leaves empty, because finish_import fills it: key, source_key and
-- target_key of entities and relations, and the ids. `stored`, ordinal, stated_order, kind, name_is_key and the keys of pieces
-- and aliases are what an export wrote beside the rest; NULL for all others.
CREATE OR REPLACE FUNCTION pgrag.begin_import()
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    CREATE TEMP TABLE pgrag_import_documents (
        line int, id text, file_path text, source_path text, content text, metadata jsonb) ON COMMIT DROP;
    CREATE TEMP TABLE pgrag_import_aliases (
        line int, alias text, name text, name_is_key boolean, alias_key text, key text, kept jsonb) ON COMMIT DROP;
    CREATE TEMP TABLE pgrag_import_entity_evidence (
        line int, place int, chunk_id text, name text, type text, description text,
        kind text, ordinal int, stated_order int, key text) ON COMMIT DROP;
    CREATE TEMP TABLE pgrag_import_relation_evidence (
        line int, place int, chunk_id text, source text, target text, keywords text[], weight float8, description text,
        ordinal int, stated_order int, source_key text, target_key text) ON COMMIT DROP;
    CREATE TEMP TABLE pgrag_import_sleeping (
        line int, chunk_id text, source text, target text, keywords text[], weight float8, description text,
        ordinal int, stated_order int, source_key text, target_key text) ON COMMIT DROP;
    -- Taken from the tables: the type of an embedding, whose schema we do not know, and its dimensions.
    CREATE TEMP TABLE pgrag_import_chunks ON COMMIT DROP AS
        SELECT 0 AS line, '' AS id, '' AS document_id, 0 AS chunk_index, '' AS content, 0 AS token_count,
               '{}'::jsonb AS metadata, false AS local_id, c.embedding, c.chunk_id AS stored_id
          FROM pgrag.chunk_embedding c WITH NO DATA;
    CREATE TEMP TABLE pgrag_import_entities ON COMMIT DROP AS
        SELECT 0 AS line, '' AS name, '' AS type, '' AS description, '' AS description_source, false AS has_evidence,
               0 AS token_count, '{}'::jsonb AS stored, v.embedding, '' AS key, v.entity_id
          FROM pgrag.entity_embedding v WITH NO DATA;
    CREATE TEMP TABLE pgrag_import_relations ON COMMIT DROP AS
        SELECT 0 AS line, '' AS source, '' AS target, ARRAY[''] AS keywords, '' AS description, 0.5::float8 AS weight,
               '' AS description_source, false AS has_evidence, 0 AS token_count, '{}'::jsonb AS stored, v.embedding,
               '' AS source_key, '' AS target_key, v.relation_id AS source_id, v.relation_id AS target_id, v.relation_id
          FROM pgrag.relation_embedding v WITH NO DATA;
END $$;
COMMENT ON FUNCTION pgrag.begin_import() IS
    'Makes the temporary tables that an import is copied into; they go with the transaction.';
