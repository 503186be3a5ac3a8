-- Lines of the prompt and the token counts stored for them, to be counted anew by whoever has the tokenizer: of entities and
-- of relations, so many at most, at random, out of all workspaces. kind is entity or relation. Without those that are stale,
-- whose counts are bounds until they are refreshed. A NULL count of rows gives nothing.
CREATE OR REPLACE FUNCTION pgrag.sample_of_lines(sample_rows int)
RETURNS TABLE (workspace text, kind text, id bigint, line text, token_count int)
LANGUAGE sql VOLATILE STRICT
BEGIN ATOMIC
    (SELECT w.name, 'entity', e.id, pgrag.entity_line(e.name, e.type, e.description), e.token_count
       FROM (SELECT x.* FROM pgrag.entity x WHERE NOT x.stale ORDER BY random() LIMIT sample_of_lines.sample_rows) e
       JOIN pgrag.workspace w ON w.id = e.workspace_id)
    UNION ALL
    (SELECT w.name, 'relation', r.id, pgrag.relation_line(s.name, t.name, r.description), r.token_count
       FROM (SELECT x.* FROM pgrag.relation x WHERE NOT x.stale ORDER BY random() LIMIT sample_of_lines.sample_rows) r
       JOIN pgrag.workspace w ON w.id = r.workspace_id
       JOIN pgrag.entity s ON s.workspace_id = r.workspace_id AND s.id = r.source_id
       JOIN pgrag.entity t ON t.workspace_id = r.workspace_id AND t.id = r.target_id);
END;
COMMENT ON FUNCTION pgrag.sample_of_lines(int) IS
    'Lines of the prompt and the token counts stored for them, at random, to be counted anew.';
