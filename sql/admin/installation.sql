-- What this database was made for, in one row: what a client checks before it asks anything.
CREATE OR REPLACE FUNCTION pgrag.installation()
RETURNS TABLE (schema_version text, embedding_model text, embedding_dimensions int, tokenizer text, graph_backend text,
               graph_installed boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT pgrag.schema_version(), s.embedding_model, s.embedding_dimensions, s.tokenizer, s.graph_backend,
           pgrag.graph_installed()
      FROM pgrag.setting s;
END;
COMMENT ON FUNCTION pgrag.installation() IS
    'What this database was made for, in one row: what a client checks before it asks anything.';
