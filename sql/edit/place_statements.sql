-- Puts statements of relations where they belong, when the alias that kept them goes: to the alias of an end that still is
-- one, else onto the relation itself, which is made where a hand had made it, its ends included. In: the list `relations` of
-- entity_alias.kept, or NULL. Evidence is the caller's next step (resolve_evidence). Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.place_statements(workspace_id bigint, statements jsonb)
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH handed_on AS (
        SELECT coalesce(a.alias_key, b.alias_key) AS alias_key, jsonb_agg(s.statement ORDER BY s.ordinal) AS statements
          FROM jsonb_array_elements(place_statements.statements) WITH ORDINALITY AS s(statement, ordinal)
          LEFT JOIN pgrag.entity_alias a ON a.workspace_id = place_statements.workspace_id
                                        AND a.alias_key = s.statement ->> 'source_key'
          LEFT JOIN pgrag.entity_alias b ON b.workspace_id = place_statements.workspace_id
                                        AND b.alias_key = s.statement ->> 'target_key'
         WHERE coalesce(a.alias_key, b.alias_key) IS NOT NULL
         GROUP BY 1
    )
    UPDATE pgrag.entity_alias m
       SET kept = coalesce(m.kept, '{}')
                  || jsonb_build_object('relations', coalesce(m.kept -> 'relations', '[]') || h.statements)
      FROM handed_on h
     WHERE m.workspace_id = place_statements.workspace_id AND m.alias_key = h.alias_key;

    INSERT INTO pgrag.entity (workspace_id, name, name_key, type)
    SELECT DISTINCT ON (e.key COLLATE "C") place_statements.workspace_id, e.name, e.key, 'UNKNOWN'
      FROM jsonb_to_recordset(place_statements.statements)
           AS s(source_key text, target_key text, source text, target text, by_hand boolean)
     CROSS JOIN LATERAL (VALUES (s.source_key, s.source), (s.target_key, s.target)) AS e(key, name)
     WHERE s.by_hand
       AND NOT EXISTS (SELECT FROM pgrag.entity_alias a WHERE a.workspace_id = place_statements.workspace_id AND a.alias_key = e.key)
     ORDER BY e.key COLLATE "C"
    ON CONFLICT ON CONSTRAINT entity_workspace_id_name_key_key DO NOTHING;

    INSERT INTO pgrag.relation AS r
           (workspace_id, source_id, target_id, by_hand, stated_keywords, stated_description, stated_weight,
            edited_keywords, edited_description, edited_weight)
    SELECT place_statements.workspace_id, a.id, b.id, coalesce(s.by_hand, false), s.stated_keywords, s.stated_description,
           s.stated_weight, s.edited_keywords, s.edited_description, s.edited_weight
      FROM jsonb_to_recordset(place_statements.statements)
           AS s(source_key text, target_key text, by_hand boolean,
                stated_keywords text[], stated_description text, stated_weight float8,
                edited_keywords text[], edited_description text, edited_weight float8)
      JOIN pgrag.entity a ON a.workspace_id = place_statements.workspace_id AND a.name_key = s.source_key
      JOIN pgrag.entity b ON b.workspace_id = place_statements.workspace_id AND b.name_key = s.target_key
     WHERE a.id <> b.id
     ORDER BY least(a.id, b.id), greatest(a.id, b.id)
    ON CONFLICT (workspace_id, least(source_id, target_id), greatest(source_id, target_id)) DO UPDATE
        SET by_hand = r.by_hand OR excluded.by_hand,
            stated_keywords = coalesce(r.stated_keywords, excluded.stated_keywords),
            stated_description = coalesce(r.stated_description, excluded.stated_description),
            stated_weight = coalesce(r.stated_weight, excluded.stated_weight),
            edited_keywords = coalesce(r.edited_keywords, excluded.edited_keywords),
            edited_description = coalesce(r.edited_description, excluded.edited_description),
            edited_weight = coalesce(r.edited_weight, excluded.edited_weight);
END;
COMMENT ON FUNCTION pgrag.place_statements(bigint, jsonb) IS
    'Puts statements of relations where they belong, when the alias that kept them goes.';
