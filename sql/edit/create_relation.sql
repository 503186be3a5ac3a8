-- Relates two entities by hand: the id of the relation. It needs no evidence, and stays when what documents say of it goes;
-- what they say joins its keywords and description, and their weights take the place of this one. Errors: RG008 for an unknown
-- end, RG001 when both ends are one entity, when they are related already, and for a weight that is negative or no number.
CREATE OR REPLACE FUNCTION pgrag.create_relation(
    workspace text, source text, target text, keywords text[] DEFAULT '{}', description text DEFAULT NULL,
    weight float8 DEFAULT 1)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(create_relation.workspace);
    one          bigint;
    other        bigint;
    made         bigint;
BEGIN
    PERFORM pgrag.require_weight(create_relation.weight);
    PERFORM pgrag.lock_names(in_workspace);
    one := pgrag.entity_named(in_workspace, create_relation.source);
    other := pgrag.entity_named(in_workspace, create_relation.target);
    PERFORM pgrag.require(one <> other, format('%L and %L are one entity: nothing is related to itself',
                                               create_relation.source, create_relation.target));
    PERFORM pgrag.lock_entities(in_workspace, ARRAY[one, other]);
    INSERT INTO pgrag.relation AS r
           (workspace_id, source_id, target_id, by_hand, stated_keywords, stated_description, stated_weight)
    VALUES (in_workspace, one, other, true,
            nullif(pgrag.unite_keywords(jsonb_build_array(coalesce(create_relation.keywords, '{}'))), '{}'),
            nullif(btrim(create_relation.description), ''), coalesce(create_relation.weight, 1))
    ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id)) DO NOTHING
    RETURNING r.id INTO made;
    PERFORM pgrag.require(made IS NOT NULL, format('%L and %L are related already',
                                                   create_relation.source, create_relation.target),
                          'Edit the relation: edit_relation.');
    PERFORM pgrag.settle(in_workspace, '{}', ARRAY[made]);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN made;
END $$;
COMMENT ON FUNCTION pgrag.create_relation(text, text, text, text[], text, float8) IS
    'Relates two entities by hand, which needs no evidence: the id of the relation.';
