-- What models were asked for each document of each workspace, by role and model (document NULL: questions, and vectors of
-- entities that several documents speak of). Documents that failed or were deleted are in it. Tokens as the server counts
-- them; where it does not tell, and for embeddings, as pgrag's tokenizer does.
DROP VIEW IF EXISTS pgrag.usage_stats;
CREATE VIEW pgrag.usage_stats WITH (security_invoker) AS
SELECT w.name AS workspace, u.document_key AS document, u.role, u.model, sum(u.calls) AS calls, sum(u.cached) AS cached,
       sum(u.prompt_tokens) AS prompt_tokens, sum(u.completion_tokens) AS completion_tokens,
       sum(u.prompt_tokens + u.completion_tokens) AS tokens, max(u.created_at) AS last_asked
  FROM pgrag.model_usage u JOIN pgrag.workspace w ON w.id = u.workspace_id
 GROUP BY w.name, u.document_key, u.role, u.model;
COMMENT ON VIEW pgrag.usage_stats IS
    'What models were asked for each document of each workspace, by role and model: requests, replies that were kept, tokens.';
