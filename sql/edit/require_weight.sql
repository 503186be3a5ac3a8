-- Nothing, when `weight` can be the weight of a relation, or is NULL; else error RG001: it is negative, infinite or no number.
CREATE OR REPLACE FUNCTION pgrag.require_weight(weight float8)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pgrag.require(require_weight.weight IS NULL OR (require_weight.weight >= 0 AND require_weight.weight < 'Infinity'),
                          format('weight must be a number of 0 or more, got %s', require_weight.weight));
END $$;
COMMENT ON FUNCTION pgrag.require_weight(float8) IS
    'Nothing, when weight can be the weight of a relation, or is NULL; else error RG001.';
