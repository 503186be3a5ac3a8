-- Counts the tables anew that have grown fourfold since the planner last counted them, as far as the caller may and nobody
-- else is at it: their keys only, which is what plans of writing depend on. Between the first document and the first visit
-- of autovacuum the planner takes a table for as large as a page; it would compare each row of a document with each of the
-- table. To be called before any row is locked. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.keep_statistics()
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    grown text;
BEGIN
    SELECT string_agg(format('%s (%s)', c.oid::regclass, k.columns), ', ' ORDER BY c.oid) INTO grown
      FROM pg_class c
     CROSS JOIN LATERAL (
           SELECT string_agg(DISTINCT quote_ident(a.attname), ', ') AS columns
             FROM pg_index i
             JOIN pg_class x ON x.oid = i.indexrelid
             JOIN pg_am m ON m.oid = x.relam AND m.amname = 'btree'
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
            WHERE i.indrelid = c.oid) k
     WHERE c.oid IN ('pgrag.document'::regclass, 'pgrag.chunk'::regclass, 'pgrag.chunk_embedding'::regclass,
                     'pgrag.entity'::regclass, 'pgrag.entity_evidence'::regclass, 'pgrag.entity_embedding'::regclass,
                     'pgrag.relation'::regclass, 'pgrag.relation_evidence'::regclass,
                     'pgrag.relation_embedding'::regclass)
       AND pg_relation_size(c.oid) / current_setting('block_size')::int >= 4 * greatest(c.relpages, 1)
       AND (pg_has_role(c.relowner, 'USAGE')
            OR CASE WHEN current_setting('server_version_num')::int >= 170000
                    THEN has_table_privilege(c.oid, 'MAINTAIN') END);
    IF grown IS NOT NULL THEN
        EXECUTE 'ANALYZE (SKIP_LOCKED) ' || grown;
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.keep_statistics() IS
    'Counts the tables anew that have grown fourfold since the planner last counted them.';
