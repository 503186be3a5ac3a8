-- Deletes a relation with everything that was said of it, in one transaction. Its ends stay, unless nothing else speaks of
-- them. A document that relates them and is ingested later makes it anew, from that alone. Nothing is returned. Errors: RG008
-- and RG009 when there is no such relation.
CREATE OR REPLACE FUNCTION pgrag.delete_relation(workspace text, source text, target text)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(delete_relation.workspace);
    gone         bigint;
    ends         bigint[];
BEGIN
    PERFORM pgrag.lock_names(in_workspace, to_change => true);
    gone := pgrag.relation_named(in_workspace, delete_relation.source, delete_relation.target);
    SELECT ARRAY[r.source_id, r.target_id] INTO ends FROM pgrag.relation r
     WHERE r.workspace_id = in_workspace AND r.id = gone;
    PERFORM pgrag.lock_entities(in_workspace, ends);
    PERFORM pgrag.forget_statements(in_workspace, ARRAY[gone]);
    DELETE FROM pgrag.relation r WHERE r.workspace_id = in_workspace AND r.id = gone;
    PERFORM pgrag.settle(in_workspace, ends, '{}');
    PERFORM pgrag.bump_version(in_workspace);
END $$;
COMMENT ON FUNCTION pgrag.delete_relation(text, text, text) IS
    'Deletes a relation with everything that was said of it, in one transaction.';
