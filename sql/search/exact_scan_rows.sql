-- Up to so many candidates, a search with a filter, or in a workspace that holds a small share of the table, looks at each
-- of them. Above, it walks the vector index and passes over what it may not show: there are enough of the others then for
-- the walk to end early.
CREATE OR REPLACE FUNCTION pgrag.exact_scan_rows()
RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT 10000;
END;
COMMENT ON FUNCTION pgrag.exact_scan_rows() IS
    'Up to so many candidates, a search looks at each of them; above, it walks the vector index.';
