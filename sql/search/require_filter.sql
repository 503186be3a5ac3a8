-- Nothing, when `filter` is a JSON object or NULL; else error RG001.
CREATE OR REPLACE FUNCTION pgrag.require_filter(filter jsonb)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF jsonb_typeof(filter) <> 'object' THEN
        PERFORM pgrag.require(false, format('filter must be a JSON object, got %s', filter),
            'It is matched against the metadata of documents by containment, as in {"year": 2020}.');
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.require_filter(jsonb) IS
    'Nothing, when filter is a JSON object or NULL; else error RG001.';
