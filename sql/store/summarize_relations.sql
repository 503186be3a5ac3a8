-- Gives relations whose text is still the one of the hash their summary, or (NULL) lets the joined descriptions stand: how
-- many. Rows of another kind are passed over. The room behind store_summaries.
CREATE OR REPLACE FUNCTION pgrag.summarize_relations(
    workspace_id bigint, kinds text[], ids bigint[], text_hashes text[], summaries text[])
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH settled AS (
        UPDATE pgrag.relation r
           SET description = coalesce(g.summary, r.description),
               description_source = CASE WHEN g.summary IS NULL THEN r.description_source ELSE 'summarized' END,
               summary_of = CASE WHEN g.summary IS NOT NULL THEN md5(r.description) END,
               token_count = CASE WHEN g.summary IS NULL THEN r.token_count
                                  ELSE octet_length(pgrag.relation_line(a.name, b.name, g.summary)) + 1 END,
               unsummarized = false, updated_at = now(),
               stale = g.summary IS NOT NULL OR NOT EXISTS (
                   SELECT FROM pgrag.relation_embedding x
                    WHERE x.workspace_id = r.workspace_id AND x.relation_id = r.id AND x.text_hash = g.text_hash)
          FROM unnest(summarize_relations.kinds, summarize_relations.ids, summarize_relations.text_hashes,
                      summarize_relations.summaries) AS g(kind, id, text_hash, summary),
               pgrag.entity a, pgrag.entity b
         WHERE r.workspace_id = summarize_relations.workspace_id AND g.kind = 'relation' AND r.id = g.id AND r.unsummarized
           AND a.workspace_id = r.workspace_id AND a.id = r.source_id
           AND b.workspace_id = r.workspace_id AND b.id = r.target_id
           AND md5(pgrag.relation_text(r.keywords, a.name, b.name, r.description)) = g.text_hash
        RETURNING r.id
    )
    SELECT count(*) FROM settled;
END;
COMMENT ON FUNCTION pgrag.summarize_relations(bigint, text[], bigint[], text[], text[]) IS
    'Gives relations whose text is still the one of the hash their summary, or lets the joined descriptions stand.';
