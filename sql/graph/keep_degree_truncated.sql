-- Trigger: without relations, every degree is 0.
CREATE OR REPLACE FUNCTION pgrag.keep_degree_truncated()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    UPDATE pgrag.entity e SET degree = 0 WHERE e.degree <> 0;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.keep_degree_truncated() IS
    'Trigger: without relations, every degree is 0.';
