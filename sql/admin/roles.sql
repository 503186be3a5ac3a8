-- The roles of pgrag, for the whole server, and what they need of this database outside schema pgrag. A superuser runs
-- this after extensions.sql, once per database; running it again changes nothing.
--
--   pgrag_owner     owns the schema and everything in it; nobody logs in as it
--   pgrag_migrator  migrates: is a member of pgrag_owner
--   pgrag_writer    ingests, edits, deletes, and reads
--   pgrag_reader    asks questions
--   pgrag_monitor   looks at the queue, the statistics and the server's activity
--   pgrag_backup    dumps everything, whatever row-level security says
--
-- What each may do inside schema pgrag is granted by sql/grants.sql. Nothing is granted to PUBLIC.
-- No role has a password: without one nobody gets in unless pg_hba.conf trusts them. Either set one
-- (ALTER ROLE pgrag_writer PASSWORD …) or give a role to your own user (GRANT pgrag_writer TO …).

DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY[
        'pgrag_owner', 'pgrag_migrator', 'pgrag_writer', 'pgrag_reader', 'pgrag_monitor', 'pgrag_backup'
    ] LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles AS r WHERE r.rolname = role_name) THEN
            EXECUTE pg_catalog.format(
                'CREATE ROLE %I %s', role_name, CASE role_name WHEN 'pgrag_owner' THEN 'NOLOGIN' ELSE 'LOGIN' END);
        END IF;
    END LOOP;

    -- Migrations make the schema, and the AGE graph, which is a schema of its own.
    EXECUTE pg_catalog.format(
        'GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO pgrag_owner', pg_catalog.current_database());
    EXECUTE pg_catalog.format(
        'GRANT CONNECT ON DATABASE %I TO pgrag_writer, pgrag_reader, pgrag_monitor, pgrag_backup',
        pg_catalog.current_database());
    -- An import is staged in temporary tables.
    EXECUTE pg_catalog.format('GRANT TEMPORARY ON DATABASE %I TO pgrag_writer', pg_catalog.current_database());

    -- AGE gives its schema to nobody; Cypher needs USAGE of whoever calls it.
    IF EXISTS (SELECT FROM pg_catalog.pg_extension AS e WHERE e.extname = 'age') THEN
        GRANT USAGE ON SCHEMA ag_catalog
            TO pgrag_owner, pgrag_migrator, pgrag_writer, pgrag_reader, pgrag_monitor, pgrag_backup;
    END IF;
END
$$;

GRANT pgrag_owner TO pgrag_migrator;
GRANT pgrag_reader TO pgrag_writer;
GRANT pg_monitor TO pgrag_monitor;

-- BYPASSRLS is not inherited: dump as this very role, pg_dump -U pgrag_backup (or --role=pgrag_backup).
GRANT pg_read_all_data TO pgrag_backup;
ALTER ROLE pgrag_backup BYPASSRLS;
