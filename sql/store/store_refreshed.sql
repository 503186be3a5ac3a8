-- Stores what refresh_pending asked for: how many items are no longer stale. What changed meanwhile stays stale and is
-- asked for again. One embedding, text hash and token count for each; ids of entities and relations apart.
CREATE OR REPLACE FUNCTION pgrag.store_refreshed(
    workspace text, entity_ids bigint[], relation_ids bigint[],
    text_hashes text[], embeddings vector[], token_counts int[])
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(store_refreshed.workspace);
    fresh        bigint;
BEGIN
    PERFORM FROM pgrag.entity e
      WHERE e.workspace_id = in_workspace AND e.id = ANY (store_refreshed.entity_ids)
      ORDER BY e.name_key COLLATE "C" FOR NO KEY UPDATE;
    PERFORM FROM pgrag.relation r
      WHERE r.workspace_id = in_workspace AND r.id = ANY (store_refreshed.relation_ids)
      ORDER BY least(r.source_id, r.target_id), greatest(r.source_id, r.target_id) FOR NO KEY UPDATE;
    fresh := pgrag.embed_items(in_workspace, store_refreshed.entity_ids, store_refreshed.relation_ids,
                               store_refreshed.text_hashes, store_refreshed.embeddings, store_refreshed.token_counts);
    IF fresh > 0 THEN
        PERFORM pgrag.bump_version(in_workspace);
    END IF;
    RETURN fresh;
END $$;
COMMENT ON FUNCTION pgrag.store_refreshed(text, bigint[], bigint[], text[], vector[], int[]) IS
    'Stores what refresh_pending asked for: how many items are no longer stale.';
