-- The longest run of entities from the front of entity_ids whose token counts sum to max_tokens at most, in order. A count is
-- that of the line in the prompt, newline included. An oversize first one leaves nothing, as does a budget of 0.
CREATE OR REPLACE FUNCTION pgrag.entities_within_budget(workspace_id bigint, entity_ids bigint[], max_tokens int)
RETURNS TABLE (ordinal int, entity_id bigint)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT w.place::int, w.id
      FROM (
        SELECT h.place, h.id, sum(x.token_count) OVER (ORDER BY h.place ROWS UNBOUNDED PRECEDING) AS tokens
          FROM unnest(entities_within_budget.entity_ids) WITH ORDINALITY AS h (id, place)
          JOIN pgrag.entity x ON x.workspace_id = entities_within_budget.workspace_id AND x.id = h.id
      ) w
     WHERE w.tokens <= entities_within_budget.max_tokens AND entities_within_budget.max_tokens > 0
     ORDER BY w.place;
END;
COMMENT ON FUNCTION pgrag.entities_within_budget(bigint, bigint[], int) IS
    'The longest run of entities from the front whose token counts sum to max_tokens at most, in order.';
