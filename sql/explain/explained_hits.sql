-- How deep explain_retrieve looks into a search for top_k hits: as many again, 100 more at most. What stands behind the hits
-- so deep fell by the limit or the threshold; what stands before, in the search without the filter, by the filter.
CREATE OR REPLACE FUNCTION pgrag.explained_hits(top_k int)
RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT least(explained_hits.top_k::bigint + least(explained_hits.top_k, 100), 2147483647)::int;
END;
COMMENT ON FUNCTION pgrag.explained_hits(int) IS
    'How deep explain_retrieve looks into a search for top_k hits: as many again, 100 more at most.';
