-- Forgets what is kept of relations that were merged into these; with only_edits only what was edited of them, and what was
-- stated stays. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.forget_statements(workspace_id bigint, relation_ids bigint[], only_edits boolean DEFAULT false)
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH concerned AS (
        SELECT k.alias_key, k.source_key, k.target_key
          FROM pgrag.kept_relations(forget_statements.workspace_id) k
         WHERE k.relation_id = ANY (forget_statements.relation_ids)
    ), left_over AS (
        SELECT m.alias_key,
               jsonb_agg(CASE WHEN c.alias_key IS NULL THEN s.statement
                              ELSE s.statement - '{edited_keywords,edited_description,edited_weight}'::text[] END
                         ORDER BY s.ordinal)
                   FILTER (WHERE c.alias_key IS NULL OR forget_statements.only_edits) AS relations
          FROM pgrag.entity_alias m
         CROSS JOIN LATERAL jsonb_array_elements(m.kept -> 'relations') WITH ORDINALITY AS s(statement, ordinal)
          LEFT JOIN concerned c ON c.alias_key = m.alias_key AND c.source_key = s.statement ->> 'source_key'
                               AND c.target_key = s.statement ->> 'target_key'
         WHERE m.workspace_id = forget_statements.workspace_id AND m.kept -> 'relations' IS NOT NULL
           AND m.alias_key IN (SELECT x.alias_key FROM concerned x)
         GROUP BY m.alias_key
    )
    UPDATE pgrag.entity_alias m
       SET kept = CASE WHEN l.relations IS NULL THEN m.kept - 'relations'
                       ELSE jsonb_set(m.kept, '{relations}', l.relations) END
      FROM left_over l
     WHERE m.workspace_id = forget_statements.workspace_id AND m.alias_key = l.alias_key;
END;
COMMENT ON FUNCTION pgrag.forget_statements(bigint, bigint[], boolean) IS
    'Forgets what is kept of relations that were merged into these, or only what was edited of them.';
