-- So many rows of a table of embeddings are a small share of it: a twentieth, and exact_scan_rows() at most; all of these
-- where the size of the table is not known yet. A workspace that holds no more is searched row by row: a walk through the
-- vector index, which all workspaces share, would meet twenty rows of others for each of its own, and may end before it
-- has met enough.
CREATE OR REPLACE FUNCTION pgrag.small_share(embeddings regclass)
RETURNS int
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN (SELECT CASE WHEN c.reltuples > 0 THEN least(ceil(c.reltuples / 20), pgrag.exact_scan_rows())
                        ELSE pgrag.exact_scan_rows() END
              FROM pg_catalog.pg_class c WHERE c.oid = small_share.embeddings);
END $$;
COMMENT ON FUNCTION pgrag.small_share(regclass) IS
    'So many rows of a table of embeddings are a small share of it: a workspace that holds no more is searched row by row.';
