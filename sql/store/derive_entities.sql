-- Recomputes name, type and description of entities from their evidence alone, taken in the order of documents, chunks
-- and replies (an import's own order first): most frequent spelling, most frequent type, distinct descriptions joined.
-- Only spellings of its own key vote for the name: an alias is another name, not another spelling. What is stated by an
-- import comes first, then what was stated or edited of entities merged into this one; what was edited by hand wins over all.
-- An entity that no text calls by its own name is called as its aliases say. A summary of these very descriptions stays.
-- Marks `stale` where the text changed; the token count of a changed line is its length in bytes, never below the real count,
-- until it is refreshed.
-- The ids of the entities whose name changed: the texts of their relations change with it.
CREATE OR REPLACE FUNCTION pgrag.derive_entities(workspace_id bigint, entity_ids bigint[])
RETURNS bigint[]
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    renamed bigint[];
BEGIN
    WITH evidence AS (
        SELECT v.entity_id, v.type, v.description, v.kind,
               CASE WHEN v.name_key = e.name_key AND (v.name = e.name OR pgrag.name_key(v.name) = e.name_key)
                    THEN v.name END AS spelling,
               row_number() OVER (PARTITION BY v.entity_id
                                  ORDER BY v.stated_order, d.document_key COLLATE "C", c.chunk_index, v.ordinal,
                                           v.name_key COLLATE "C") AS place
          FROM pgrag.entity_evidence v
          JOIN pgrag.entity e ON e.workspace_id = v.workspace_id AND e.id = v.entity_id
          JOIN pgrag.chunk c ON c.workspace_id = v.workspace_id AND c.id = v.chunk_id
          JOIN pgrag.document d ON d.workspace_id = c.workspace_id AND d.id = c.document_id
         WHERE v.workspace_id = derive_entities.workspace_id AND v.entity_id = ANY (derive_entities.entity_ids)
    ), heard AS (
        SELECT v.entity_id,
               pgrag.majority(array_agg(v.spelling ORDER BY v.place)) AS name,
               pgrag.majority(array_agg(v.type ORDER BY v.place) FILTER (WHERE v.kind = 'described')) AS type,
               array_agg(v.description ORDER BY v.place) FILTER (WHERE v.kind = 'described') AS described,
               (array_agg(v.description ORDER BY v.place) FILTER (WHERE v.description <> ''))[1] AS placeholder
          FROM evidence v
         GROUP BY v.entity_id
    ), joined AS MATERIALIZED (
        SELECT e.id, coalesce(e.edited_name, h.name, s.name, e.name) AS name,
               coalesce(e.edited_type, e.stated_type, s.type, h.type, 'UNKNOWN') AS type,
               CASE WHEN e.stated_description IS NULL AND s.descriptions IS NULL AND h.described IS NULL
                    THEN coalesce(h.placeholder, '')
                    ELSE pgrag.join_fragments(array_prepend(e.stated_description, s.descriptions || h.described))
                END AS description
          FROM pgrag.entity e
          LEFT JOIN heard h ON h.entity_id = e.id
          LEFT JOIN LATERAL (
                SELECT (array_agg(a.canonical ORDER BY a.alias_key COLLATE "C")
                            FILTER (WHERE pgrag.name_key(a.canonical) = e.name_key))[1] AS name,
                       (array_agg(k.type ORDER BY a.alias_key COLLATE "C") FILTER (WHERE k.type IS NOT NULL))[1] AS type,
                       array_agg(k.description ORDER BY a.alias_key COLLATE "C")
                            FILTER (WHERE k.description IS NOT NULL) AS descriptions
                  FROM pgrag.entity_alias a
                 CROSS JOIN LATERAL (VALUES (coalesce(a.kept ->> 'edited_type', a.kept ->> 'stated_type'),
                                             coalesce(a.kept ->> 'edited_description', a.kept ->> 'stated_description')))
                       AS k(type, description)
                 WHERE a.workspace_id = e.workspace_id AND a.canonical_key = e.name_key) s ON true
         WHERE e.workspace_id = derive_entities.workspace_id AND e.id = ANY (derive_entities.entity_ids)
    ), derived AS (
        SELECT j.id, j.name, j.type,
               CASE WHEN e.edited_description IS NOT NULL THEN e.edited_description
                    WHEN e.summary_of = md5(j.description) THEN e.description
                    ELSE j.description END AS description,
               CASE WHEN e.edited_description IS NOT NULL THEN 'manual'
                    WHEN e.summary_of = md5(j.description) THEN 'summarized'
                    WHEN e.stated_description IS NOT NULL THEN 'imported'
                    ELSE 'joined' END AS description_source
          FROM joined j
          JOIN pgrag.entity e ON e.workspace_id = derive_entities.workspace_id AND e.id = j.id
    ), changed AS (
        UPDATE pgrag.entity e
           SET name = d.name, type = d.type, description = d.description, description_source = d.description_source,
               summary_of = CASE d.description_source WHEN 'summarized' THEN e.summary_of END,
               unsummarized = d.description_source IN ('joined', 'imported') AND pgrag.may_need_summary(d.description),
               stale = true, updated_at = now(),
               token_count = octet_length(pgrag.entity_line(d.name, d.type, d.description)) + 1
          FROM derived d
         WHERE e.workspace_id = derive_entities.workspace_id AND e.id = d.id
           AND ((e.name, e.type, e.description, e.description_source)
                IS DISTINCT FROM (d.name, d.type, d.description, d.description_source) OR e.token_count = 0)
    )
    SELECT array_agg(d.id) INTO renamed
      FROM derived d JOIN pgrag.entity e ON e.workspace_id = derive_entities.workspace_id AND e.id = d.id
     WHERE e.name <> d.name;
    RETURN coalesce(renamed, '{}');
END $$;
COMMENT ON FUNCTION pgrag.derive_entities(bigint, bigint[]) IS
    'Recomputes name, type and description of entities from their evidence alone.';
