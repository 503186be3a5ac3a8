-- The extensions of pgrag, for one database. A superuser runs this before roles.sql: who may make schemas in a database
-- could prepare one for an extension to fall into. Running it again changes nothing.
-- vector and pg_trgm are required and may live in any schema. Apache AGE is optional: where the server does not have
-- it, or it does not load, graphs are walked by SQL joins, with the same rows.

CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_catalog.pg_extension AS e WHERE e.extname = 'age')
        OR NOT EXISTS (SELECT FROM pg_catalog.pg_available_extensions AS a WHERE a.name = 'age') THEN
        RETURN;
    END IF;
    IF EXISTS (
        SELECT FROM pg_catalog.pg_namespace AS n JOIN pg_catalog.pg_roles AS r ON r.oid = n.nspowner
        WHERE n.nspname = 'ag_catalog' AND NOT r.rolsuper
    ) THEN
        RAISE WARNING 'Apache AGE is not created: a schema ag_catalog is there that is no superuser''s';
        RETURN;
    END IF;
    CREATE EXTENSION age;
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING 'Apache AGE cannot be created: %', SQLERRM;
END
$$;
