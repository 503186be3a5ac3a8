-- The id of the relation between two entities, in whichever direction; names go through aliases. Errors: RG008 for an unknown
-- entity, RG009 when nothing relates the two.
CREATE OR REPLACE FUNCTION pgrag.relation_named(workspace_id bigint, source text, target text)
RETURNS bigint
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    one      bigint := pgrag.entity_named(relation_named.workspace_id, relation_named.source);
    other    bigint := pgrag.entity_named(relation_named.workspace_id, relation_named.target);
    found_id bigint;
BEGIN
    SELECT r.id INTO found_id FROM pgrag.relation r
     WHERE r.workspace_id = relation_named.workspace_id
       AND least(r.source_id, r.target_id) = least(one, other)
       AND greatest(r.source_id, r.target_id) = greatest(one, other);
    IF found_id IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'RG009',
            MESSAGE = format('no relation between %L and %L in workspace %L', relation_named.source, relation_named.target,
                             (SELECT w.name FROM pgrag.workspace w WHERE w.id = relation_named.workspace_id)),
            HINT = 'neighbors shows what an entity is related to; create_relation makes a relation.';
    END IF;
    RETURN found_id;
END $$;
COMMENT ON FUNCTION pgrag.relation_named(bigint, text, text) IS
    'The id of the relation between two entities, in whichever direction. Error RG009 when nothing relates the two.';
