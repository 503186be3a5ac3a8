-- What people call items: an entity by its name, a relation by its ends (`Marley - Scrooge`), a chunk by its file's path and
-- its place in it (`tale.txt #3`, from 0). kinds[i] (entity, relation, chunk) goes with ids[i]. In the order given; what is
-- not there has no row. Errors: RG002 for an unknown workspace.
CREATE OR REPLACE FUNCTION pgrag.item_labels(workspace text, kinds text[], ids bigint[])
RETURNS TABLE (kind text, id bigint, label text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    asked_id bigint := pgrag.workspace_id(workspace);
BEGIN
    RETURN QUERY
    SELECT a.kind, a.id, n.label
      FROM unnest(kinds, ids) WITH ORDINALITY AS a (kind, id, place)
     CROSS JOIN LATERAL (
        SELECT e.name AS label FROM pgrag.entity e
         WHERE a.kind = 'entity' AND e.workspace_id = asked_id AND e.id = a.id
        UNION ALL
        SELECT s.name || ' - ' || t.name FROM pgrag.relation r
          JOIN pgrag.entity s ON s.workspace_id = asked_id AND s.id = r.source_id
          JOIN pgrag.entity t ON t.workspace_id = asked_id AND t.id = r.target_id
         WHERE a.kind = 'relation' AND r.workspace_id = asked_id AND r.id = a.id
        UNION ALL
        SELECT d.file_path || ' #' || c.chunk_index FROM pgrag.chunk c
          JOIN pgrag.document d ON d.workspace_id = asked_id AND d.id = c.document_id
         WHERE a.kind = 'chunk' AND c.workspace_id = asked_id AND c.id = a.id
     ) n
     ORDER BY a.place;
END $$;
COMMENT ON FUNCTION pgrag.item_labels(text, text[], bigint[]) IS
    'What people call items: an entity by its name, a relation by its ends, a chunk by its file''s path and place.';
