-- What still wants an embedding, as the text to embed and the line whose tokens are to be counted: stale entities first,
-- then relations, by id; at most `batch`. Give the answers to store_refreshed.
CREATE OR REPLACE FUNCTION pgrag.refresh_pending(workspace text, batch int DEFAULT 1000)
RETURNS TABLE (kind text, id bigint, text_hash text, embedded_text text, line text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    WITH asked AS (
        SELECT pgrag.workspace_id(refresh_pending.workspace) AS workspace_id
    ), stale AS (
        (SELECT 'entity' AS kind, e.id, pgrag.entity_text(e.name, e.description) AS embedded_text,
               pgrag.entity_line(e.name, e.type, e.description) AS line
          FROM asked JOIN pgrag.entity e ON e.workspace_id = asked.workspace_id
         WHERE e.stale
         ORDER BY e.id LIMIT refresh_pending.batch)
        UNION ALL
        (SELECT 'relation', r.id, pgrag.relation_text(r.keywords, a.name, b.name, r.description),
               pgrag.relation_line(a.name, b.name, r.description)
          FROM asked
          JOIN pgrag.relation r ON r.workspace_id = asked.workspace_id
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
         WHERE r.stale
         ORDER BY r.id LIMIT refresh_pending.batch)
    )
    SELECT s.kind, s.id, md5(s.embedded_text), s.embedded_text, s.line
      FROM stale s
     ORDER BY s.kind, s.id
     LIMIT refresh_pending.batch;
END;
COMMENT ON FUNCTION pgrag.refresh_pending(text, int) IS
    'What still wants an embedding, as the text to embed and the line whose tokens are to be counted.';
