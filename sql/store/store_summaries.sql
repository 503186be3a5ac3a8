-- Stores what refresh_pending wanted summaries for: how many items were settled. Given are kinds ('entity' or 'relation'), ids
-- and text hashes as refresh_pending stated them, and for each a summary, or NULL to let the joined descriptions stand.
-- What changed meanwhile is left as it is and asked for again. A summarised item stays stale until it is embedded.
CREATE OR REPLACE FUNCTION pgrag.store_summaries(
    workspace text, kinds text[], ids bigint[], text_hashes text[], summaries text[])
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    in_workspace bigint := pgrag.workspace_id(store_summaries.workspace);
    entities     bigint;
    relations    bigint;
BEGIN
    PERFORM FROM pgrag.entity e
      WHERE e.workspace_id = in_workspace
        AND e.id = ANY (ARRAY(SELECT g.id FROM unnest(store_summaries.kinds, store_summaries.ids) AS g(kind, id)
                               WHERE g.kind = 'entity'))
      ORDER BY e.name_key COLLATE "C" FOR NO KEY UPDATE;
    entities := pgrag.summarize_entities(in_workspace, store_summaries.kinds, store_summaries.ids,
                                         store_summaries.text_hashes, store_summaries.summaries);
    relations := pgrag.summarize_relations(in_workspace, store_summaries.kinds, store_summaries.ids,
                                           store_summaries.text_hashes, store_summaries.summaries);
    IF entities + relations > 0 THEN
        PERFORM pgrag.bump_version(in_workspace);
    END IF;
    RETURN entities + relations;
END $$;
COMMENT ON FUNCTION pgrag.store_summaries(text, text[], bigint[], text[], text[]) IS
    'Stores what refresh_pending wanted summaries for: how many items were settled.';
