-- Nothing, when `ok`; else error RG001 with `message` and `hint`. The check of every door.
CREATE OR REPLACE FUNCTION pgrag.require(ok boolean, message text, hint text DEFAULT NULL)
RETURNS void
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF ok IS NOT TRUE THEN
        IF require.hint IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'RG001', MESSAGE = require.message;
        END IF;
        RAISE EXCEPTION USING ERRCODE = 'RG001', MESSAGE = require.message, HINT = require.hint;
    END IF;
END $$;
COMMENT ON FUNCTION pgrag.require(boolean, text, text) IS
    'Nothing, when ok; else error RG001 with message and hint.';
