-- Hands the graph's schema, tables and sequences to the owner of pgrag.entity, and lets it use AGE's schema, when the
-- caller is somebody else (the DBA who made the graph). The owner can then refill it, and needs no DBA again.
CREATE OR REPLACE FUNCTION pgrag.give_graph()
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    owner name := (SELECT pg_get_userbyid(c.relowner) FROM pg_catalog.pg_class c WHERE c.oid = 'pgrag.entity'::regclass);
    item record;
BEGIN
    IF owner = current_user THEN
        RETURN;
    END IF;
    FOR item IN
        SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END AS kind, c.oid::regclass AS name
          FROM pg_catalog.pg_class c
         WHERE c.relnamespace = 'pgrag_graph'::regnamespace AND c.relkind IN ('r', 'S')
           AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d      -- a column's sequence follows its table
                            WHERE c.relkind = 'S' AND d.deptype = 'a'
                              AND d.classid = 'pg_class'::regclass AND d.objid = c.oid)
    LOOP
        EXECUTE format('ALTER %s %s OWNER TO %I', item.kind, item.name, owner);
    END LOOP;
    EXECUTE format('ALTER SCHEMA pgrag_graph OWNER TO %I', owner);
    IF has_schema_privilege('ag_catalog', 'USAGE WITH GRANT OPTION') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA ag_catalog TO %I', owner);
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.give_graph() IS
    'Hands the graph''s schema, tables and sequences to the owner of pgrag.entity.';
