-- The distinct keywords of a list of lists, sorted (COLLATE "C"), without empty ones. In: [["a", "b"], ["b"]].
CREATE OR REPLACE FUNCTION pgrag.unite_keywords(lists jsonb)
RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT coalesce(array_agg(DISTINCT btrim(k.keyword) COLLATE "C"), '{}')
      FROM jsonb_array_elements(unite_keywords.lists) AS l(list), jsonb_array_elements_text(l.list) AS k(keyword)
     WHERE btrim(k.keyword) <> '';
END;
COMMENT ON FUNCTION pgrag.unite_keywords(jsonb) IS
    'The distinct keywords of a list of lists, sorted, without empty ones.';
