-- Gives entities whose text is still the one of the hash their summary, or (NULL) lets the joined descriptions stand: how
-- many. Rows of another kind are passed over. The room behind store_summaries.
CREATE OR REPLACE FUNCTION pgrag.summarize_entities(
    workspace_id bigint, kinds text[], ids bigint[], text_hashes text[], summaries text[])
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH settled AS (
        UPDATE pgrag.entity e
           SET description = coalesce(g.summary, e.description),
               description_source = CASE WHEN g.summary IS NULL THEN e.description_source ELSE 'summarized' END,
               summary_of = CASE WHEN g.summary IS NOT NULL THEN md5(e.description) END,
               token_count = CASE WHEN g.summary IS NULL THEN e.token_count
                                  ELSE octet_length(pgrag.entity_line(e.name, e.type, g.summary)) + 1 END,
               unsummarized = false, updated_at = now(),
               stale = g.summary IS NOT NULL OR NOT EXISTS (
                   SELECT FROM pgrag.entity_embedding x
                    WHERE x.workspace_id = e.workspace_id AND x.entity_id = e.id AND x.text_hash = g.text_hash)
          FROM unnest(summarize_entities.kinds, summarize_entities.ids, summarize_entities.text_hashes,
                      summarize_entities.summaries) AS g(kind, id, text_hash, summary)
         WHERE e.workspace_id = summarize_entities.workspace_id AND g.kind = 'entity' AND e.id = g.id AND e.unsummarized
           AND md5(pgrag.entity_text(e.name, e.description)) = g.text_hash
        RETURNING e.id
    )
    SELECT count(*) FROM settled;
END;
COMMENT ON FUNCTION pgrag.summarize_entities(bigint, text[], bigint[], text[], text[]) IS
    'Gives entities whose text is still the one of the hash their summary, or lets the joined descriptions stand.';
