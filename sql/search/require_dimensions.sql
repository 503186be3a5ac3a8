-- Nothing, when `embedding` has the dimensions that the database was migrated with, or is NULL; else error RG003.
CREATE OR REPLACE FUNCTION pgrag.require_dimensions(embedding vector)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    given    int := pgrag.dimensions_of(require_dimensions.embedding);
    expected int;
BEGIN
    SELECT s.embedding_dimensions INTO expected FROM pgrag.setting s;
    IF given <> expected THEN
        RAISE EXCEPTION USING ERRCODE = 'RG003',
            MESSAGE = format('the embedding has %s dimensions, the database has %s', given, expected),
            HINT = 'Embed with the model that the database was migrated for: SELECT embedding_model FROM pgrag.setting.';
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.require_dimensions(vector) IS
    'Nothing, when embedding has the dimensions that the database was migrated with, or is NULL; else error RG003.';
