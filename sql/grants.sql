-- Who may do what inside schema pgrag, granted anew at every replay; PUBLIC may do nothing. A role that the DBA has not
-- made (sql/admin/roles.sql) is passed over with a notice.
REVOKE ALL ON SCHEMA pgrag FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA pgrag FROM PUBLIC;

DO $$
DECLARE
    granted record;
BEGIN
    FOR granted IN
        SELECT * FROM (VALUES
            ('pgrag_reader',  'USAGE ON SCHEMA pgrag'),
            ('pgrag_reader',  'SELECT ON ALL TABLES IN SCHEMA pgrag'),
            ('pgrag_reader',  'EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag'),
            ('pgrag_writer',  'USAGE ON SCHEMA pgrag'),
            ('pgrag_writer',  'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA pgrag'),
            ('pgrag_writer',  'USAGE ON ALL SEQUENCES IN SCHEMA pgrag'),
            ('pgrag_writer',  'EXECUTE ON ALL FUNCTIONS IN SCHEMA pgrag'),
            ('pgrag_monitor', 'USAGE ON SCHEMA pgrag'),
            ('pgrag_monitor', 'SELECT ON ALL TABLES IN SCHEMA pgrag'),
            ('pgrag_monitor', 'EXECUTE ON FUNCTION pgrag.schema_version(), pgrag.installation(), pgrag.graph_installed(), '
                              'pgrag.list_workspaces(), pgrag.list_documents(text, text), pgrag.document_details(text, text), '
                              'pgrag.workspace_id(text)'),
            ('pgrag_backup',  'USAGE ON SCHEMA pgrag'),
            ('pgrag_backup',  'SELECT ON ALL TABLES IN SCHEMA pgrag')
        ) AS g(role, privilege)
    LOOP
        IF to_regrole(granted.role) IS NULL THEN
            RAISE NOTICE 'role % is not there, its grants are skipped (sql/admin/roles.sql makes it)', granted.role;
        ELSE
            EXECUTE format('GRANT %s TO %I', granted.privilege, granted.role);
        END IF;
    END LOOP;
    IF to_regrole('pgrag_writer') IS NOT NULL AND current_setting('server_version_num')::int >= 170000 THEN
        EXECUTE 'GRANT MAINTAIN ON ALL TABLES IN SCHEMA pgrag TO pgrag_writer';     -- an import ends with ANALYZE
    END IF;
    IF to_regrole('pgrag_writer') IS NOT NULL THEN
        REVOKE INSERT, UPDATE, DELETE ON pgrag.setting FROM pgrag_writer;
    END IF;
    PERFORM pgrag.grant_graph();
END $$;
