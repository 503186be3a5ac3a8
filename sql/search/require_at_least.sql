-- Nothing, when `value` is `minimum` or more; else error RG001, which names the argument and what was given. NULL is refused.
CREATE OR REPLACE FUNCTION pgrag.require_at_least(argument text, value bigint, minimum bigint)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF (require_at_least.value >= require_at_least.minimum) IS NOT TRUE THEN
        PERFORM pgrag.require(false,
            format('%s must be at least %s, got %s', argument, minimum, coalesce(value::text, 'NULL')));
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.require_at_least(text, bigint, bigint) IS
    'Nothing, when value is minimum or more; else error RG001, which names the argument and what was given.';
