-- How many dimensions an embedding has. A room of its own, so that doors need not know pgvector's schema.
CREATE OR REPLACE FUNCTION pgrag.dimensions_of(embedding vector)
RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT vector_dims(dimensions_of.embedding);
END;
COMMENT ON FUNCTION pgrag.dimensions_of(vector) IS
    'How many dimensions an embedding has.';
