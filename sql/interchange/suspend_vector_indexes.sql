-- Drops the vector indexes of a table of embeddings (`kind` is chunk, entity or relation) that `incoming` rows are about to
-- come into, and returns the statements that build them anew; none where they stay. One build takes a tenth of the time of
-- as many single inserts, but nobody can read the table until the transaction ends. So they stay where the table has more
-- than a tenth of the incoming rows already, where few rows come, where the caller does not own the table, and where
-- somebody else is at it just now: not waiting for them is what makes a deadlock impossible.
CREATE OR REPLACE FUNCTION pgrag.suspend_vector_indexes(kind text, incoming bigint)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '200ms'
AS $$
DECLARE
    embeddings regclass := format('pgrag.%I', suspend_vector_indexes.kind || '_embedding');
    present    bigint;
    suspended  record;
BEGIN
    IF suspend_vector_indexes.incoming < 1000
       OR NOT (SELECT pg_has_role(c.relowner, 'USAGE') FROM pg_class c WHERE c.oid = embeddings) THEN
        RETURN;
    END IF;
    EXECUTE format('SELECT count(*) FROM (SELECT FROM %s LIMIT %s) AS t', embeddings,
                   suspend_vector_indexes.incoming / 10 + 1) INTO present;
    IF present > suspend_vector_indexes.incoming / 10 THEN
        RETURN;
    END IF;
    BEGIN
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', embeddings);
    EXCEPTION WHEN lock_not_available THEN
        RETURN;
    END;
    FOR suspended IN
        SELECT i.indexrelid::regclass AS name, pg_get_indexdef(i.indexrelid) AS definition
          FROM pg_index i
          JOIN pg_class c ON c.oid = i.indexrelid
          JOIN pg_am m ON m.oid = c.relam
         WHERE i.indrelid = embeddings AND m.amname IN ('hnsw', 'ivfflat')
    LOOP
        EXECUTE format('DROP INDEX %s', suspended.name);
        RETURN NEXT suspended.definition;
    END LOOP;
END $$;
COMMENT ON FUNCTION pgrag.suspend_vector_indexes(text, bigint) IS
    'Drops the vector indexes of a table that many rows are about to come into, and returns the statements that build them anew.';
