-- Whether any evidence of an entity, or anything kept of relations, calls it by this name: then the name must stay an alias
-- when the entity gets another.
CREATE OR REPLACE FUNCTION pgrag.is_called(workspace_id bigint, entity_id bigint, name_key text)
RETURNS boolean
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (SELECT FROM pgrag.entity_evidence v
                    WHERE v.workspace_id = is_called.workspace_id AND v.entity_id = is_called.entity_id
                      AND v.name_key = is_called.name_key)
        OR EXISTS (SELECT FROM pgrag.kept_relations(is_called.workspace_id) k
                    WHERE is_called.name_key IN (k.source_key, k.target_key));
END;
COMMENT ON FUNCTION pgrag.is_called(bigint, bigint, text) IS
    'Whether any evidence of an entity, or anything kept of relations, calls it by this name.';
