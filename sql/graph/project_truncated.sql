-- Trigger: the table is empty, so is its label. Nothing when there is no graph.
CREATE OR REPLACE FUNCTION pgrag.project_truncated()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT pgrag.graph_installed() THEN
        RETURN NULL;
    ELSIF TG_TABLE_NAME = 'entity' THEN
        TRUNCATE pgrag_graph."Entity";
    ELSE
        TRUNCATE pgrag_graph."RELATES";
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.project_truncated() IS
    'Trigger: the table is empty, so is its label.';
