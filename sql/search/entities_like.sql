-- Entities whose name is like `name`, best first; match says how, score (0..1) how well:
--   exact     it is this name after folding, or the alias table says so          score 1
--   prefix    its name begins with this                                          score length of this / length of its name
--   contains  its name contains this                                             likewise
--   similar   their trigrams are alike (pg_trgm.similarity_threshold, 0.3)       score similarity
-- Order: match as listed, score, name_key, id. Nothing for a blank name. The trigram index serves names of 3 letters and
-- more; what is a wildcard to LIKE stands for itself.
CREATE OR REPLACE FUNCTION pgrag.entities_like(workspace_id bigint, name text, top_k int)
RETURNS TABLE (id bigint, name text, type text, match text, score float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH asked AS MATERIALIZED (
        SELECT k.key, length(k.key) AS letters,
               pgrag.resolve_key(entities_like.workspace_id, entities_like.name) AS resolved,
               regexp_replace(k.key, '([\\%_])', '\\\1', 'g') AS escaped
          FROM (SELECT pgrag.name_key(entities_like.name) AS key) k
         WHERE k.key <> ''
    ), alike AS (
        SELECT e.id FROM asked a JOIN pgrag.entity e ON e.workspace_id = entities_like.workspace_id
           AND e.name_key IN (a.key, a.resolved)
        UNION
        SELECT e.id FROM asked a JOIN pgrag.entity e ON e.workspace_id = entities_like.workspace_id
           AND e.name_key LIKE '%' || a.escaped || '%'
        UNION
        SELECT e.id FROM asked a JOIN pgrag.entity e ON e.workspace_id = entities_like.workspace_id
           AND e.name_key % a.key
    ), judged AS (
        SELECT e.id, e.name, e.type, e.name_key,
               CASE WHEN e.name_key IN (a.key, a.resolved) THEN 1
                    WHEN starts_with(e.name_key, a.key) THEN 2
                    WHEN strpos(e.name_key, a.key) > 0 THEN 3
                    ELSE 4 END AS closeness,
               a.letters::float8 / length(e.name_key) AS share,
               similarity(e.name_key, a.key)::float8 AS similarity
          FROM asked a CROSS JOIN alike x
          JOIN pgrag.entity e ON e.workspace_id = entities_like.workspace_id AND e.id = x.id
    )
    SELECT j.id, j.name, j.type, (ARRAY['exact', 'prefix', 'contains', 'similar'])[j.closeness],
           CASE j.closeness WHEN 1 THEN 1 WHEN 4 THEN j.similarity ELSE j.share END
      FROM judged j
     ORDER BY j.closeness, 5 DESC, j.name_key COLLATE "C", j.id
     LIMIT entities_like.top_k;
END;
COMMENT ON FUNCTION pgrag.entities_like(bigint, text, int) IS
    'Entities whose name is like name, best first; match says how, score (0..1) how well.';
