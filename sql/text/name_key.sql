-- The key that names are compared by: two names with one key are one entity. Width and case are folded, spaces at the
-- ends fall. Every writer and reader asks this function, because Python's casefold and PostgreSQL's lower differ.
CREATE OR REPLACE FUNCTION pgrag.name_key(name text)
RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT lower(normalize(btrim(name_key.name), NFKC));
END;
COMMENT ON FUNCTION pgrag.name_key(text) IS
    'The key that names are compared by: lower case, NFKC, trimmed.';
