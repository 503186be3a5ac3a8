-- A function of our schema that the replay did not re-create is stale, because its file is gone: an error that names it.
-- Comes before the grants, which write to every function's catalog row.
DO $$
DECLARE
    stale text;
BEGIN
    SELECT string_agg(p.oid::regprocedure::text, ', ') INTO stale
      FROM pg_proc p
     WHERE p.pronamespace = 'pgrag'::regnamespace
       AND age(p.xmin) > age(current_setting('pgrag.replay_began')::xid);
    IF stale IS NOT NULL THEN
        RAISE EXCEPTION 'functions that sql/install.sql does not know any more: %', stale
            USING HINT = 'Name them in sql/retired.sql, with DROP FUNCTION IF EXISTS.';
    END IF;
END $$;
