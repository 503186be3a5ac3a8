-- The version of pgrag that the functions of this database belong to; equal to the Python package's.
CREATE OR REPLACE FUNCTION pgrag.schema_version()
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '0.1.0';
COMMENT ON FUNCTION pgrag.schema_version() IS
    'The version of pgrag that the functions of this database belong to; equal to the Python package''s.';
