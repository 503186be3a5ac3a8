-- Trigger: the edges of the relations just updated are written anew, where a column that the graph holds has changed
-- (degree and token counts change often, and are not in it). Nothing when there is no graph. The graph is asked by an
-- array and never by a join, and sequential scans are off, so that the kept plan uses the index on id for one row and for
-- many, whatever the statistics say.
CREATE OR REPLACE FUNCTION pgrag.project_updated_relations()
RETURNS trigger
LANGUAGE plpgsql
SET search_path = ag_catalog, pg_catalog, pg_temp
SET enable_seqscan = off
AS $$
DECLARE
    label int := pgrag.graph_label('RELATES');
    ends_label int := pgrag.graph_label('Entity');
    changed bigint[];
BEGIN
    IF label IS NULL THEN
        RETURN NULL;
    END IF;
    changed := ARRAY(
        SELECT c.id
          FROM (SELECT o.workspace_id, o.id, o.source_id, o.target_id, o.keywords, o.weight FROM old_rows o
                EXCEPT
                SELECT n.workspace_id, n.id, n.source_id, n.target_id, n.keywords, n.weight FROM new_rows n) c);
    IF cardinality(changed) = 0 THEN
        RETURN NULL;
    END IF;
    DELETE FROM pgrag_graph."RELATES" g
     WHERE g.id = ANY (ARRAY(SELECT ag_catalog._graphid(label, c) FROM unnest(changed) c));
    INSERT INTO pgrag_graph."RELATES" (id, start_id, end_id, properties)
    SELECT ag_catalog._graphid(label, n.id),
           ag_catalog._graphid(ends_label, n.source_id), ag_catalog._graphid(ends_label, n.target_id),
           ag_catalog.agtype_build_map('id', n.id, 'workspace', n.workspace_id, 'keywords', n.keywords, 'weight', n.weight)
      FROM (SELECT n.workspace_id, n.id, n.source_id, n.target_id, n.keywords, n.weight FROM new_rows n
            EXCEPT
            SELECT o.workspace_id, o.id, o.source_id, o.target_id, o.keywords, o.weight FROM old_rows o) n;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION pgrag.project_updated_relations() IS
    'Trigger: the edges of the relations just updated are written anew, where the graph holds what has changed.';
