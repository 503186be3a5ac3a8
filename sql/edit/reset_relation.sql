-- Takes back what was edited of a relation, and of those that were merged into it: it is again what its evidence, an import,
-- or the hand that made it say. Its id. Errors: RG008 and RG009 when there is no such relation.
CREATE OR REPLACE FUNCTION pgrag.reset_relation(workspace text, source text, target text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(reset_relation.workspace);
    edited       bigint;
BEGIN
    PERFORM pgrag.lock_names(in_workspace);
    edited := pgrag.relation_named(in_workspace, reset_relation.source, reset_relation.target);
    UPDATE pgrag.relation r SET edited_keywords = NULL, edited_description = NULL, edited_weight = NULL
     WHERE r.workspace_id = in_workspace AND r.id = edited;
    PERFORM pgrag.forget_statements(in_workspace, ARRAY[edited], only_edits => true);
    PERFORM pgrag.settle(in_workspace, '{}', ARRAY[edited]);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN edited;
END $$;
COMMENT ON FUNCTION pgrag.reset_relation(text, text, text) IS
    'Takes back what was edited of a relation: it is derived again. Its id.';
