-- Up to so many candidates, a filtered search looks at each of them. Above, it walks the vector index and passes over what
-- the filter refuses: there are enough of the others then for the walk to end early.
CREATE OR REPLACE FUNCTION pgrag.exact_scan_rows()
RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT 10000;
END;
COMMENT ON FUNCTION pgrag.exact_scan_rows() IS
    'Up to so many candidates, a filtered search looks at each of them; above, it walks the vector index.';
