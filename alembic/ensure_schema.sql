-- Schema pgrag, created when it is not there (tested for: CREATE SCHEMA IF NOT EXISTS asks for a right that is not needed).
-- First, what pgrag needs of the server: extensions are the DBA's, they are only checked.
DO $$
DECLARE
    missing text;
BEGIN
    SELECT string_agg(needed.name, ', ') INTO missing
      FROM unnest(ARRAY['vector', 'pg_trgm']) AS needed(name)
     WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_extension e WHERE e.extname = needed.name);
    IF missing IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG007',
            MESSAGE = pg_catalog.format('database %I lacks the extension %s', current_database(), missing),
            HINT = 'A superuser runs sql/admin/extensions.sql in this database (CREATE EXTENSION vector; CREATE EXTENSION pg_trgm).';
    END IF;
    IF (SELECT pg_catalog.string_to_array(e.extversion, '.')::int[] < ARRAY[0, 8, 4]
          FROM pg_catalog.pg_extension e WHERE e.extname = 'vector') THEN
        RAISE EXCEPTION USING ERRCODE = 'RG007',
            MESSAGE = 'pgvector 0.8.4 or later is needed, this database has '
                || (SELECT e.extversion FROM pg_catalog.pg_extension e WHERE e.extname = 'vector'),
            HINT = 'A superuser installs it and runs ALTER EXTENSION vector UPDATE.';
    END IF;
    IF pg_catalog.to_regnamespace('pgrag') IS NULL THEN
        CREATE SCHEMA pgrag;
        COMMENT ON SCHEMA pgrag IS 'Graph RAG: documents, chunks, entities, relations, their evidence and vectors, and retrieval as functions.';
    END IF;
END $$;
