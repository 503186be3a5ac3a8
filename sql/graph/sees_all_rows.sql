-- Whether the caller sees every entity and relation, so that the graph may be filled from them or compared with them: no
-- row-level security applies, or the caller is the tables' owner (whose own policy under FORCE must let everything pass).
CREATE OR REPLACE FUNCTION pgrag.sees_all_rows()
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT bool_and(pg_has_role(c.relowner, 'USAGE') OR NOT row_security_active(c.oid))
              FROM pg_catalog.pg_class c
             WHERE c.oid IN ('pgrag.entity'::regclass, 'pgrag.relation'::regclass));
END $$;
COMMENT ON FUNCTION pgrag.sees_all_rows() IS
    'Whether the caller sees every entity and relation, whatever row-level security says to others.';
