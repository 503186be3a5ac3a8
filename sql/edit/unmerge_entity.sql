-- Undoes the merging of a name, in one transaction: it is an alias no more, and means an entity of its own again, with its own
-- evidence, its own relations, and what it had by hand or from an import. What was edited of the other entity since stays with
-- that. The id of the entity, NULL when nothing that is there speaks of it. Errors: RG008 when the name is no alias, RG001 when
-- the alias comes from renaming.
CREATE OR REPLACE FUNCTION pgrag.unmerge_entity(workspace text, name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(unmerge_entity.workspace);
    own_key      text := pgrag.name_key(unmerge_entity.name);
    alias        pgrag.entity_alias;
    concerned    bigint[];
    touched      record;
BEGIN
    PERFORM pgrag.require_name(unmerge_entity.name);
    PERFORM pgrag.lock_names(in_workspace, to_change => true);
    SELECT m.* INTO alias FROM pgrag.entity_alias m WHERE m.workspace_id = in_workspace AND m.alias_key = own_key;
    IF alias.alias_key IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG008',
            MESSAGE = format('%L was not merged into any entity of workspace %L', unmerge_entity.name, unmerge_entity.workspace),
            HINT = 'entity_details (pgrag entity show) lists the aliases of an entity.';
    END IF;
    PERFORM pgrag.require(NOT coalesce(alias.kept ? 'renamed_from', false),
                          format('%L is a former name of %L', alias.alias, coalesce(alias.canonical, alias.canonical_key)),
                          'Rename the entity back.');
    SELECT array_agg(e.id) INTO concerned FROM pgrag.entity e
     WHERE e.workspace_id = in_workspace AND e.name_key = alias.canonical_key;
    PERFORM pgrag.lock_entities(in_workspace, concerned);
    alias.kept := pgrag.drop_alias(in_workspace, own_key);
    concerned := concerned || pgrag.give_back(in_workspace, alias);
    PERFORM pgrag.place_statements(in_workspace, alias.kept -> 'relations');
    SELECT * INTO touched FROM pgrag.resolve_evidence(in_workspace, concerned);
    PERFORM pgrag.settle(in_workspace, touched.entity_ids, touched.relation_ids);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN (SELECT e.id FROM pgrag.entity e WHERE e.workspace_id = in_workspace AND e.name_key = own_key);
END $$;
COMMENT ON FUNCTION pgrag.unmerge_entity(text, text) IS
    'Undoes the merging of a name, in one transaction: it means an entity of its own again. The id of the entity.';
