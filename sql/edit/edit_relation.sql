-- Gives a relation other keywords, another description or weight (NULL: as it is), which win over everything that documents
-- say until reset_relation: its id. Either end may come first. Errors: RG008 and RG009 when there is no such relation, RG001
-- when nothing is given and for a weight that is negative or no number.
CREATE OR REPLACE FUNCTION pgrag.edit_relation(
    workspace text, source text, target text, keywords text[] DEFAULT NULL, description text DEFAULT NULL,
    weight float8 DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(edit_relation.workspace);
    edited       bigint;
BEGIN
    PERFORM pgrag.require(num_nonnulls(edit_relation.keywords, edit_relation.description, edit_relation.weight) > 0,
                          'nothing to edit: give keywords, a description or a weight');
    PERFORM pgrag.require_weight(edit_relation.weight);
    PERFORM pgrag.lock_names(in_workspace);
    edited := pgrag.relation_named(in_workspace, edit_relation.source, edit_relation.target);
    UPDATE pgrag.relation r
       SET edited_keywords = CASE WHEN edit_relation.keywords IS NULL THEN r.edited_keywords
                                  ELSE pgrag.unite_keywords(jsonb_build_array(edit_relation.keywords)) END,
           edited_description = coalesce(btrim(edit_relation.description), r.edited_description),
           edited_weight = coalesce(edit_relation.weight, r.edited_weight)
     WHERE r.workspace_id = in_workspace AND r.id = edited;
    PERFORM pgrag.settle(in_workspace, '{}', ARRAY[edited]);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN edited;
END $$;
COMMENT ON FUNCTION pgrag.edit_relation(text, text, text, text[], text, float8) IS
    'Gives a relation other keywords, another description or weight, which win over everything that documents say: its id.';
