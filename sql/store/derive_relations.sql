-- Recomputes direction, keywords, description and weight of relations from their evidence alone, taken in the order of
-- documents, chunks and replies (an import's own order first): the direction first said, keywords united, distinct
-- descriptions joined, weights summed (of each chunk the largest). What is stated by an import or a hand comes first, then
-- what was stated of relations that were merged into this one; what was edited by hand wins over all. A relation made by hand
-- keeps its direction. A summary of these very descriptions stays. Marks `stale` and sets token counts as derive_entities
-- does, also where an end was renamed. How many rows changed.
CREATE OR REPLACE FUNCTION pgrag.derive_relations(workspace_id bigint, relation_ids bigint[])
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    changed bigint;
BEGIN
    WITH evidence AS (
        SELECT v.relation_id, v.chunk_id, v.source_key, v.keywords, v.weight, v.description,
               row_number() OVER (PARTITION BY v.relation_id
                                  ORDER BY v.stated_order, d.document_key COLLATE "C", c.chunk_index, v.ordinal,
                                           v.source_key COLLATE "C", v.target_key COLLATE "C") AS place,
               row_number() OVER (PARTITION BY v.relation_id, v.chunk_id
                                  ORDER BY v.weight DESC, v.ordinal) AS rank_in_chunk
          FROM pgrag.relation_evidence v
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = derive_relations.workspace_id AND v.relation_id = ANY (derive_relations.relation_ids)
    ), heard AS (
        SELECT v.relation_id, (array_agg(v.source_key ORDER BY v.place))[1] AS source_key,
               jsonb_agg(to_jsonb(v.keywords)) AS keywords,
               sum(v.weight ORDER BY v.place) FILTER (WHERE v.rank_in_chunk = 1) AS weight,
               array_agg(v.description ORDER BY v.place) AS descriptions
          FROM evidence v
         GROUP BY v.relation_id
    ), turned AS (
        SELECT r.*, h.keywords AS heard_keywords, h.weight AS heard_weight,
               k.descriptions || h.descriptions AS descriptions, k.keywords AS kept_keywords, k.weight AS kept_weight,
               k.edited_keywords AS kept_edited_keywords, k.edited_description AS kept_edited_description,
               k.edited_weight AS kept_edited_weight,
               (NOT r.by_hand AND b.name_key = coalesce(m.canonical_key, h.source_key, k.source_key)) IS TRUE AS is_turned,
               a.name AS source, b.name AS target
          FROM pgrag.relation r
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
          LEFT JOIN heard h ON h.relation_id = r.id
          LEFT JOIN pgrag.statements_of_relations(derive_relations.workspace_id, derive_relations.relation_ids) k
                 ON k.relation_id = r.id
          LEFT JOIN pgrag.entity_alias m
                 ON m.workspace_id = r.workspace_id AND m.alias_key = coalesce(h.source_key, k.source_key)
         WHERE r.workspace_id = derive_relations.workspace_id AND r.id = ANY (derive_relations.relation_ids)
    ), joined AS MATERIALIZED (
        SELECT t.id, t.is_turned,
               CASE WHEN t.is_turned THEN t.target_id ELSE t.source_id END AS source_id,
               CASE WHEN t.is_turned THEN t.source_id ELSE t.target_id END AS target_id,
               CASE WHEN t.is_turned THEN t.target ELSE t.source END AS source,
               CASE WHEN t.is_turned THEN t.source ELSE t.target END AS target,
               coalesce(t.edited_keywords,
                        CASE WHEN t.kept_edited_keywords IS NOT NULL
                             THEN ARRAY(SELECT jsonb_array_elements_text(t.kept_edited_keywords)) END,
                        pgrag.unite_keywords(coalesce(t.heard_keywords, '[]') || coalesce(t.kept_keywords, '[]')
                            || CASE WHEN t.stated_keywords IS NULL THEN '[]'
                                    ELSE jsonb_build_array(t.stated_keywords) END)) AS keywords,
               coalesce(t.edited_weight, t.kept_edited_weight, t.heard_weight, t.stated_weight, t.kept_weight, 1) AS weight,
               pgrag.join_fragments(array_prepend(t.stated_description, t.descriptions)) AS joined,
               coalesce(t.edited_description, t.kept_edited_description) AS edited_description, t.summary_of,
               t.stated_description, t.description
          FROM turned t
    ), derived AS (
        SELECT j.*,
               CASE WHEN j.edited_description IS NOT NULL THEN j.edited_description
                    WHEN j.summary_of = md5(j.joined) THEN j.description
                    ELSE j.joined END AS text,
               CASE WHEN j.edited_description IS NOT NULL THEN 'manual'
                    WHEN j.summary_of = md5(j.joined) THEN 'summarized'
                    WHEN j.stated_description IS NOT NULL THEN 'imported'
                    ELSE 'joined' END AS description_source
          FROM joined j
    )
    UPDATE pgrag.relation r
       SET source_id = d.source_id, target_id = d.target_id, keywords = d.keywords, weight = d.weight,
           description = d.text, description_source = d.description_source,
           summary_of = CASE d.description_source WHEN 'summarized' THEN r.summary_of END,
           unsummarized = d.description_source IN ('joined', 'imported') AND pgrag.may_need_summary(d.text),
           stale = true, updated_at = now(),
           token_count = octet_length(pgrag.relation_line(d.source, d.target, d.text)) + 1
      FROM derived d
     WHERE r.workspace_id = derive_relations.workspace_id AND r.id = d.id
       AND (d.is_turned OR r.token_count = 0
            OR (r.keywords, r.description, r.description_source, r.weight)
               IS DISTINCT FROM (d.keywords, d.text, d.description_source, d.weight));
    GET DIAGNOSTICS changed = ROW_COUNT;
    RETURN changed;
END $$;
COMMENT ON FUNCTION pgrag.derive_relations(bigint, bigint[]) IS
    'Recomputes direction, keywords, description and weight of relations from their evidence alone.';
