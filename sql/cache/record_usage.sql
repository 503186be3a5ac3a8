-- Writes down what was asked of a model, and what it cost: nothing is returned, and nothing is written for a caller
-- without the right to.
CREATE OR REPLACE FUNCTION pgrag.record_usage(
    workspace text, role text, model text, calls int, cached int DEFAULT 0, prompt_tokens bigint DEFAULT 0,
    completion_tokens bigint DEFAULT 0, document text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT has_table_privilege('pgrag.model_usage', 'INSERT') OR current_setting('transaction_read_only')::boolean THEN
        RETURN;
    END IF;
    INSERT INTO pgrag.model_usage
           (workspace_id, document_key, role, model, calls, cached, prompt_tokens, completion_tokens)
    VALUES (pgrag.workspace_id(record_usage.workspace), record_usage.document, record_usage.role, record_usage.model,
            record_usage.calls, record_usage.cached, record_usage.prompt_tokens, record_usage.completion_tokens);
END $$;
COMMENT ON FUNCTION pgrag.record_usage(text, text, text, int, int, bigint, bigint, text) IS
    'Writes down what was asked of a model, and what it cost.';
