-- Takes an alias away: what it kept (an empty object when nothing). Evidence is the caller's next step.
CREATE OR REPLACE FUNCTION pgrag.drop_alias(workspace_id bigint, alias_key text)
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kept jsonb;
BEGIN
    DELETE FROM pgrag.entity_alias m
     WHERE m.workspace_id = drop_alias.workspace_id AND m.alias_key = drop_alias.alias_key
    RETURNING m.kept INTO kept;
    -- It goes nowhere any more with the entity that it once was an alias of.
    UPDATE pgrag.entity_alias m SET kept = jsonb_set(m.kept, '{aliases}', (m.kept -> 'aliases') - drop_alias.alias_key)
     WHERE m.workspace_id = drop_alias.workspace_id AND m.kept -> 'aliases' ? drop_alias.alias_key;
    RETURN coalesce(kept, '{}');
END $$;
COMMENT ON FUNCTION pgrag.drop_alias(bigint, text) IS
    'Takes an alias away: what it kept (an empty object when nothing).';
