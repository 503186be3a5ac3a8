-- The corpus version of the workspace, and the reply kept under a key of a kind ('answer', 'keywords') if there is one that
-- is still good: not expired, and for an answer made from this very version. Always one row.
CREATE OR REPLACE FUNCTION pgrag.cached_reply(workspace text, kind text, key text)
RETURNS TABLE (corpus_version bigint, value jsonb)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT w.corpus_version, q.value
      FROM pgrag.workspace w
      LEFT JOIN pgrag.query_cache q
             ON q.workspace_id = w.id AND q.kind = cached_reply.kind AND q.key = cached_reply.key
            AND q.expires_at > now() AND (q.corpus_version IS NULL OR q.corpus_version = w.corpus_version)
     WHERE w.id = pgrag.workspace_id(cached_reply.workspace);
END;
COMMENT ON FUNCTION pgrag.cached_reply(text, text, text) IS
    'The corpus version of the workspace, and the reply kept under a key if there is one that is still good.';
