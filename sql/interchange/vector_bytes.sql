-- A vector as it travels: pgvector's own binary form, that is its dimensions and 0 (int2 each), then a float2 for each
-- dimension, all big-endian. Exact, and a tenth of the work of its text.
CREATE OR REPLACE FUNCTION pgrag.vector_bytes(embedding halfvec)
RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT halfvec_send(vector_bytes.embedding);
END;
COMMENT ON FUNCTION pgrag.vector_bytes(halfvec) IS
    'A vector as it travels: pgvector''s own binary form.';
