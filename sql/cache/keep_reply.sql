-- Keeps a reply for `ttl_seconds`: whether it was kept. An answer carries the corpus version that it was made from, and is
-- not kept when the corpus has changed since (NULL: a reply that does not depend on the corpus). Callers without the
-- right to write keep nothing, without an error. The oldest go when the workspace holds more than `max_rows` of a kind.
CREATE OR REPLACE FUNCTION pgrag.keep_reply(
    workspace text, kind text, key text, value jsonb, corpus_version bigint DEFAULT NULL,
    ttl_seconds float8 DEFAULT 604800, max_rows int DEFAULT 10000)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
    in_workspace bigint := pgrag.workspace_id(keep_reply.workspace);
BEGIN
    IF NOT has_table_privilege('pgrag.query_cache', 'INSERT') OR current_setting('transaction_read_only')::boolean THEN
        RETURN false;
    END IF;
    INSERT INTO pgrag.query_cache AS q (workspace_id, kind, key, value, corpus_version, expires_at)
    SELECT w.id, keep_reply.kind, keep_reply.key, keep_reply.value, keep_reply.corpus_version,
           now() + make_interval(secs => keep_reply.ttl_seconds)
      FROM pgrag.workspace w
     WHERE w.id = in_workspace
       AND (keep_reply.corpus_version IS NULL OR w.corpus_version = keep_reply.corpus_version)
    ON CONFLICT ON CONSTRAINT query_cache_pkey DO UPDATE
        SET value = excluded.value, corpus_version = excluded.corpus_version, created_at = now(),
            expires_at = excluded.expires_at;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    DELETE FROM pgrag.query_cache q
     WHERE q.workspace_id = in_workspace AND q.kind = keep_reply.kind
       AND (q.expires_at <= now() OR q.corpus_version < keep_reply.corpus_version
            OR q.key IN (SELECT x.key FROM pgrag.query_cache x
                          WHERE x.workspace_id = in_workspace AND x.kind = keep_reply.kind
                          ORDER BY x.created_at DESC, x.key = keep_reply.key DESC OFFSET keep_reply.max_rows));
    RETURN true;
END $$;
COMMENT ON FUNCTION pgrag.keep_reply(text, text, text, jsonb, bigint, float8, int) IS
    'Keeps a reply for ttl_seconds: whether it was kept; an answer not when the corpus has changed since.';
