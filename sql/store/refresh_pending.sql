-- What still wants the work of a model: stale entities, then relations, by id, at most `batch`; first those that want a
-- summary. wants is 'summary' (the joined descriptions may be over the limits: give store_summaries a summary of them, or
-- NULL to let them stand) or 'embedding' (embed embedded_text, count the tokens of line and its newline, and give both to
-- store_refreshed). name is the entity's, or both ends of the relation; text_hash is the md5 of embedded_text.
CREATE OR REPLACE FUNCTION pgrag.refresh_pending(workspace text, batch int DEFAULT 1000)
RETURNS TABLE (kind text, id bigint, wants text, name text, description text, text_hash text, embedded_text text, line text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    -- By itself: a join that finds its other side empty would never come to ask.
    SELECT pgrag.workspace_id(refresh_pending.workspace);
    WITH asked AS (
        SELECT pgrag.workspace_id(refresh_pending.workspace) AS workspace_id
    ), stale AS (
        (SELECT 'entity' AS kind, e.id, e.unsummarized, e.name, e.description,
                pgrag.entity_text(e.name, e.description) AS embedded_text,
                pgrag.entity_line(e.name, e.type, e.description) AS line
          FROM asked JOIN pgrag.entity e ON e.workspace_id = asked.workspace_id
         WHERE e.stale
         ORDER BY e.unsummarized DESC, e.id LIMIT refresh_pending.batch)
        UNION ALL
        (SELECT 'relation', r.id, r.unsummarized, a.name || ' - ' || b.name, r.description,
                pgrag.relation_text(r.keywords, a.name, b.name, r.description),
                pgrag.relation_line(a.name, b.name, r.description)
          FROM asked
          JOIN pgrag.relation r ON r.workspace_id = asked.workspace_id
          JOIN pgrag.entity a ON a.workspace_id = r.workspace_id AND a.id = r.source_id
          JOIN pgrag.entity b ON b.workspace_id = r.workspace_id AND b.id = r.target_id
         WHERE r.stale
         ORDER BY r.unsummarized DESC, r.id LIMIT refresh_pending.batch)
    )
    SELECT s.kind, s.id, CASE WHEN s.unsummarized THEN 'summary' ELSE 'embedding' END, s.name, s.description,
           md5(s.embedded_text), s.embedded_text, s.line
      FROM stale s
     ORDER BY s.unsummarized DESC, s.kind, s.id
     LIMIT refresh_pending.batch;
END;
COMMENT ON FUNCTION pgrag.refresh_pending(text, int) IS
    'What still wants the work of a model: a summary, or an embedding and a token count.';
