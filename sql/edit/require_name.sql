-- Nothing, when `name` can be the name of an entity; else error RG001: it is NULL or blank.
CREATE OR REPLACE FUNCTION pgrag.require_name(name text)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.require(pgrag.name_key(require_name.name) <> '',
                          format('the name of an entity must not be blank, got %s', quote_nullable(require_name.name)));
END $$;
COMMENT ON FUNCTION pgrag.require_name(text) IS
    'Nothing, when name can be the name of an entity; else error RG001: it is NULL or blank.';
