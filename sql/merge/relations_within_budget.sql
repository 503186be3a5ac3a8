-- The longest run of relations from the front of relation_ids whose token counts sum to max_tokens at most, in order. A count is
-- that of the line in the prompt, newline included. An oversize first one leaves nothing, as does a budget of 0.
CREATE OR REPLACE FUNCTION pgrag.relations_within_budget(workspace_id bigint, relation_ids bigint[], max_tokens int)
RETURNS TABLE (ordinal int, relation_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT w.place::int, w.id
      FROM (
        SELECT h.place, h.id, sum(x.token_count) OVER (ORDER BY h.place ROWS UNBOUNDED PRECEDING) AS tokens
          FROM unnest(relations_within_budget.relation_ids) WITH ORDINALITY AS h (id, place)
          JOIN pgrag.relation x ON x.workspace_id = relations_within_budget.workspace_id AND x.id = h.id
      ) w
     WHERE w.tokens <= relations_within_budget.max_tokens AND relations_within_budget.max_tokens > 0
     ORDER BY w.place;
END;
COMMENT ON FUNCTION pgrag.relations_within_budget(bigint, bigint[], int) IS
    'The longest run of relations from the front whose token counts sum to max_tokens at most, in order.';
