-- Tells the planner, for the rest of this transaction or until it is told otherwise, how many records are under way. It takes
-- a list of records for one row, and the tables for as small as when they were last analysed. Few records are found one by
-- one through indexes, by plans that are made once a session. Over a thousand records, or a hundred into tables that were
-- last seen not much larger, nested loops would compare each with each: then plans are made for the occasion, without them,
-- and the caller analyses what it has filled. Zero: as usual again. Whether they are many.
CREATE OR REPLACE FUNCTION pgrag.expect_many(records bigint)
RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    many boolean := expect_many.records > 1000
                 OR expect_many.records > 100
                    AND (SELECT c.reltuples < 10 * expect_many.records FROM pg_class c WHERE c.oid = 'pgrag.entity'::regclass);
BEGIN
    PERFORM set_config('plan_cache_mode', CASE WHEN many THEN 'force_custom_plan'
                                               WHEN expect_many.records > 0 THEN 'force_generic_plan'
                                               ELSE 'auto' END, true),
            set_config('enable_nestloop', CASE WHEN many THEN 'off' ELSE 'on' END, true),
            set_config('enable_seqscan', CASE WHEN expect_many.records > 0 AND NOT many THEN 'off' ELSE 'on' END, true);
    RETURN many;
END $$;
COMMENT ON FUNCTION pgrag.expect_many(bigint) IS
    'Tells the planner whether a load of that many records is under way. Whether they are many.';
