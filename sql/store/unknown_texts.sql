-- What of a document's replies the workspace does not know yet: the room behind new_texts, same rows, same order.
CREATE OR REPLACE FUNCTION pgrag.unknown_texts(workspace_id bigint, entities jsonb, relations jsonb)
RETURNS TABLE (text_hash text, embedded_text text, line text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH said AS MATERIALIZED (
        SELECT s.* FROM pgrag.said_entities(unknown_texts.workspace_id, unknown_texts.entities, unknown_texts.relations) s
    ), evidence AS (
        SELECT s.key, s.name_key, s.chunk_index, min(s.ordinal) AS ordinal,
               (array_agg(s.name ORDER BY s.kind, s.ordinal))[1] AS name,
               (array_agg(s.type ORDER BY s.ordinal) FILTER (WHERE s.type IS NOT NULL))[1] AS type,
               pgrag.join_fragments(array_agg(s.description ORDER BY s.ordinal) FILTER (WHERE s.kind = 'described')) AS description,
               (array_agg(s.description ORDER BY s.ordinal))[1] AS placeholder,
               min(s.kind) AS kind
          FROM said s
         GROUP BY s.key, s.name_key, s.chunk_index
    ), entity_text AS (
        SELECT v.key, known.id AS known_id, known.name AS known_name,
               coalesce(pgrag.majority(array_agg(v.name ORDER BY v.chunk_index, v.ordinal) FILTER (WHERE pgrag.name_key(v.name) = v.key)),
                        min(v.name)) AS name,
               coalesce(pgrag.majority(array_agg(v.type ORDER BY v.chunk_index, v.ordinal) FILTER (WHERE v.kind = 'described')),
                        'UNKNOWN') AS type,
               CASE WHEN bool_or(v.kind = 'described')
                    THEN pgrag.join_fragments(array_agg(v.description ORDER BY v.chunk_index, v.ordinal) FILTER (WHERE v.kind = 'described'))
                    ELSE coalesce((array_agg(v.placeholder ORDER BY v.chunk_index, v.ordinal)
                                   FILTER (WHERE v.placeholder <> ''))[1], '') END AS description
          FROM evidence v
          LEFT JOIN pgrag.entity known ON known.workspace_id = unknown_texts.workspace_id AND known.name_key = v.key
         GROUP BY v.key, known.id, known.name
    ), relation_said AS (
        SELECT s.*, least(s.source_means, s.target_means) AS low, greatest(s.source_means, s.target_means) AS high
          FROM pgrag.said_relations(unknown_texts.workspace_id, unknown_texts.relations) s
         WHERE s.source_means <> s.target_means
    ), relation_text AS (
        SELECT r.low, r.high,
               (array_agg(r.source_means ORDER BY r.chunk_index, r.ordinal))[1] AS source_key,
               (array_agg(r.target_means ORDER BY r.chunk_index, r.ordinal))[1] AS target_key,
               pgrag.unite_keywords(jsonb_agg(to_jsonb(r.keywords))) AS keywords,
               pgrag.join_fragments(array_agg(r.description ORDER BY r.chunk_index, r.ordinal)) AS description
          FROM relation_said r
         GROUP BY r.low, r.high
    ), wanted AS (
        SELECT pgrag.entity_text(e.name, e.description) AS embedded_text,
               pgrag.entity_line(e.name, e.type, e.description) AS line
          FROM entity_text e
         WHERE e.known_name IS NULL
        UNION ALL
        SELECT pgrag.relation_text(r.keywords, coalesce(a.known_name, a.name), coalesce(b.known_name, b.name), r.description),
               pgrag.relation_line(coalesce(a.known_name, a.name), coalesce(b.known_name, b.name), r.description)
          FROM relation_text r
          JOIN entity_text a ON a.key = r.source_key
          JOIN entity_text b ON b.key = r.target_key
         WHERE NOT EXISTS (SELECT FROM pgrag.relation known
                            WHERE known.workspace_id = unknown_texts.workspace_id
                              AND least(known.source_id, known.target_id) = least(a.known_id, b.known_id)
                              AND greatest(known.source_id, known.target_id) = greatest(a.known_id, b.known_id))
    )
    SELECT md5(w.embedded_text), w.embedded_text, w.line FROM wanted w ORDER BY w.embedded_text, w.line;
END;
COMMENT ON FUNCTION pgrag.unknown_texts(bigint, jsonb, jsonb) IS
    'What of a document''s replies the workspace does not know yet: the room behind new_texts.';
