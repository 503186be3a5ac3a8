-- Nothing, when `records` is a list of JSON objects; else error RG001, which names the argument.
CREATE OR REPLACE FUNCTION pgrag.require_list(argument text, records jsonb)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.require(
        CASE WHEN jsonb_typeof(require_list.records) = 'array'
             THEN NOT EXISTS (SELECT FROM jsonb_array_elements(require_list.records) AS r(record)
                               WHERE jsonb_typeof(r.record) <> 'object') END,
        format('%s must be a list of JSON objects, got %s', require_list.argument,
               left(coalesce(require_list.records::text, 'NULL'), 100)));
END $$;
COMMENT ON FUNCTION pgrag.require_list(text, jsonb) IS
    'Nothing, when records is a list of JSON objects; else error RG001, which names the argument.';
