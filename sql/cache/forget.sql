-- Forgets what was kept longer than `older_than` ago: how many rows. `kind` is extractions (replies about chunks: a chunk
-- whose reply is forgotten is paid for again when its document is taken in anew), summaries (of long descriptions: asked
-- for again when one of its pieces changes) or usage (the ledger of what models were asked). Documents and their graph stay as they are. Error RG001 for another kind or a negative age.
CREATE OR REPLACE FUNCTION pgrag.forget(workspace text, kind text, older_than interval)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(forget.workspace);
    gone         bigint;
BEGIN
    PERFORM pgrag.require(forget.older_than >= interval '0', format('an age is not negative, %s is', forget.older_than));
    CASE forget.kind
        WHEN 'extractions' THEN
            DELETE FROM pgrag.extraction x
             WHERE x.workspace_id = in_workspace AND x.created_at <= now() - forget.older_than;
        WHEN 'summaries' THEN
            DELETE FROM pgrag.summary s
             WHERE s.workspace_id = in_workspace AND s.created_at <= now() - forget.older_than;
        WHEN 'usage' THEN
            DELETE FROM pgrag.model_usage u
             WHERE u.workspace_id = in_workspace AND u.created_at <= now() - forget.older_than;
        ELSE
            PERFORM pgrag.require(false, format('nothing of kind %L is kept', forget.kind),
                                  'it is one of extractions, summaries, usage');
    END CASE;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END $$;
COMMENT ON FUNCTION pgrag.forget(text, text, interval) IS
    'Forgets extractions, summaries or usage that were kept longer than older_than ago: how many rows.';
