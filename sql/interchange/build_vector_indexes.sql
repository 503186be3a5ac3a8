-- Runs the statements of suspend_vector_indexes, with as much memory as a build can use; with one process, where the machine
-- has no room for the memory that several would share. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.build_vector_indexes(definitions text[])
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET maintenance_work_mem = '1GB'
AS $$
DECLARE
    definition text;
BEGIN
    FOREACH definition IN ARRAY build_vector_indexes.definitions LOOP
        BEGIN
            EXECUTE definition;
        EXCEPTION WHEN insufficient_resources OR disk_full OR out_of_memory THEN
            PERFORM set_config('max_parallel_maintenance_workers', '0', true);
            EXECUTE definition;
        END;
    END LOOP;
END $$;
COMMENT ON FUNCTION pgrag.build_vector_indexes(text[]) IS
    'Runs the statements of suspend_vector_indexes, with as much memory as a build can use.';
