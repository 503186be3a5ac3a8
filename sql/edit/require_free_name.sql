-- Nothing, when the entity of own_key can be given the name; else error RG001, with the hint what to do instead: it is the
-- name or an alias of another entity, or was merged into this one.
CREATE OR REPLACE FUNCTION pgrag.require_free_name(workspace_id bigint, own_key text, name text)
RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key   text := pgrag.name_key(require_free_name.name);
    means text := pgrag.resolve_key(require_free_name.workspace_id, require_free_name.name);
BEGIN
    PERFORM pgrag.require(
        means IN (require_free_name.own_key, key)
            AND (key = require_free_name.own_key
                 OR NOT EXISTS (SELECT FROM pgrag.entity e
                                 WHERE e.workspace_id = require_free_name.workspace_id AND e.name_key = key)),
        format('%L is the name of another entity', require_free_name.name), 'Merge the two: merge_entities.');
    PERFORM pgrag.require(
        NOT EXISTS (SELECT FROM pgrag.entity_alias m
                     WHERE m.workspace_id = require_free_name.workspace_id AND m.alias_key = key AND m.kept ? 'name'),
        format('%L was merged into this entity', require_free_name.name),
        'Undo that first (unmerge_entity), then merge the other way round.');
END $$;
COMMENT ON FUNCTION pgrag.require_free_name(bigint, text, text) IS
    'Nothing, when the entity of own_key can be given the name; else error RG001, with the hint what to do instead.';
