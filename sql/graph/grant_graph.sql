-- Grants on the graph what is granted on the tables: pgrag.entity stands for the label Entity, pgrag.relation for RELATES.
-- Who may SELECT, INSERT, DELETE or TRUNCATE there may do so here; an UPDATE there is a DELETE and an INSERT here. With it
-- goes USAGE on the schemas pgrag_graph and, where the caller may grant that, ag_catalog. Nothing when there is no graph.
CREATE OR REPLACE FUNCTION pgrag.grant_graph()
RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    given record;
    may_open_age boolean;
BEGIN
    IF NOT pgrag.graph_installed() THEN
        RETURN;
    END IF;
    may_open_age := has_schema_privilege('ag_catalog', 'USAGE WITH GRANT OPTION');
    FOR given IN
        SELECT CASE c.relname WHEN 'entity' THEN 'Entity' ELSE 'RELATES' END AS label,
               coalesce(quote_ident(r.rolname), 'PUBLIC') AS grantee,
               string_agg(DISTINCT CASE a.privilege_type WHEN 'UPDATE' THEN 'INSERT, DELETE' ELSE a.privilege_type END,
                          ', ') AS rights
          FROM pg_catalog.pg_class c
         CROSS JOIN LATERAL aclexplode(c.relacl) a
          LEFT JOIN pg_catalog.pg_roles r ON r.oid = a.grantee
         WHERE c.oid IN ('pgrag.entity'::regclass, 'pgrag.relation'::regclass) AND a.grantee <> c.relowner
           AND a.privilege_type IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
         GROUP BY c.relname, r.rolname
    LOOP
        EXECUTE format('GRANT %s ON pgrag_graph.%I TO %s', given.rights, given.label, given.grantee);
        EXECUTE format('GRANT USAGE ON SCHEMA pgrag_graph TO %s', given.grantee);
        IF may_open_age THEN
            EXECUTE format('GRANT USAGE ON SCHEMA ag_catalog TO %s', given.grantee);
        END IF;
    END LOOP;
END $$;
COMMENT ON FUNCTION pgrag.grant_graph() IS
    'Grants on the graph what is granted on the tables.';
