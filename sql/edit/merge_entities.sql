-- Merges entities into one, in one transaction: the id of the one that is left. `into_name` is one of them, another entity, or a
-- name that is nobody's yet; names go through aliases. The merged names become aliases, remembered also by what is ingested
-- later; evidence moves, relations that became the same fuse, those that became loops sleep. What was stated or edited by hand
-- follows. unmerge_entity undoes it, name by name. Names that mean `into` already are passed over. Errors: RG008 for an unknown
-- name, RG001 for none and for a blank one.
CREATE OR REPLACE FUNCTION pgrag.merge_entities(workspace text, names text[], into_name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(merge_entities.workspace);
    survivor     bigint;
    merged       bigint[];
    touched      record;
BEGIN
    PERFORM pgrag.require(cardinality(merge_entities.names) > 0, 'names must name the entities to merge');
    PERFORM pgrag.require_name(merge_entities.into_name);
    PERFORM pgrag.lock_names(in_workspace, to_change => true);
    merged := ARRAY(SELECT pgrag.entity_named(in_workspace, n.name) FROM unnest(merge_entities.names) AS n(name));
    survivor := pgrag.make_entity(in_workspace, merge_entities.into_name);
    merged := ARRAY(SELECT e.id FROM pgrag.entity e
                     WHERE e.workspace_id = in_workspace AND e.id = ANY (merged) AND e.id <> survivor
                     ORDER BY e.name_key COLLATE "C");
    IF merged = '{}' THEN
        RETURN survivor;
    END IF;
    PERFORM pgrag.lock_entities(in_workspace, merged || survivor);
    PERFORM pgrag.absorb_entity(in_workspace, m.id, survivor) FROM unnest(merged) WITH ORDINALITY AS m(id, place)
      ORDER BY m.place;
    SELECT * INTO touched FROM pgrag.resolve_evidence(in_workspace, merged || survivor);
    PERFORM pgrag.settle(in_workspace, touched.entity_ids, touched.relation_ids);
    PERFORM pgrag.bump_version(in_workspace);
    RETURN survivor;
END $$;
COMMENT ON FUNCTION pgrag.merge_entities(text, text[], text) IS
    'Merges entities into one, in one transaction: the id of the one that is left. unmerge_entity undoes it.';
