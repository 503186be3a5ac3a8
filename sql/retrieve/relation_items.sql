-- Relations as retrieve shows them, in the order of relation_ids: item {source, target, keywords, description, weight,
-- rank}, rank the sum of the degrees of both ends, and the tokens of the line in the prompt, newline included.
CREATE OR REPLACE FUNCTION pgrag.relation_items(workspace_id bigint, relation_ids bigint[])
RETURNS TABLE (ordinal int, id bigint, item jsonb, token_count int)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT h.place::int, r.id,
           jsonb_build_object('source', s.name, 'target', t.name, 'keywords', to_jsonb(r.keywords),
                              'description', r.description, 'weight', r.weight, 'rank', s.degree + t.degree),
           r.token_count
      FROM unnest(relation_items.relation_ids) WITH ORDINALITY AS h (id, place)
      JOIN pgrag.relation r ON r.workspace_id = relation_items.workspace_id AND r.id = h.id
      JOIN pgrag.entity s ON s.workspace_id = relation_items.workspace_id AND s.id = r.source_id
      JOIN pgrag.entity t ON t.workspace_id = relation_items.workspace_id AND t.id = r.target_id
     ORDER BY h.place;
END;
COMMENT ON FUNCTION pgrag.relation_items(bigint, bigint[]) IS
    'Relations as retrieve shows them, in the order of relation_ids: item {source, target, keywords, description, weight, rank}.';
