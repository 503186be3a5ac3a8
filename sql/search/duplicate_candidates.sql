-- Pairs of entities that may be one thing, best first: what to look at before merge_entities. why is 'name' (names at least
-- min_similarity alike, by trigrams, 0..1), 'meaning' (embeddings at most max_distance apart, cosine) or 'both'. score (0..1) is
-- the mean of similarity and nearness (1 - distance; 0 without embeddings). With `name` only pairs of that entity; else those
-- of the max_entities entities with most relations, each asked for its 10 likeliest. Order: score, then both keys. At most
-- top_k. Errors: RG001 for an argument out of its domain, RG002 for an unknown workspace, RG008 for an unknown entity.
CREATE OR REPLACE FUNCTION pgrag.duplicate_candidates(
    workspace text, name text DEFAULT NULL, top_k int DEFAULT 50, min_similarity float8 DEFAULT 0.4,
    max_distance float8 DEFAULT 0.15, max_entities int DEFAULT 1000)
RETURNS TABLE (entity_id bigint, entity text, other_id bigint, other text, similarity float8, distance float8, score float8,
               why text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET hnsw.iterative_scan = strict_order
SET jit = off
AS $$
#variable_conflict use_column
DECLARE
    in_workspace bigint := pgrag.workspace_id(duplicate_candidates.workspace);
    asked        bigint[];
BEGIN
    PERFORM pgrag.require_at_least('top_k', top_k, 1), pgrag.require_at_least('max_entities', max_entities, 1);
    PERFORM pgrag.require(duplicate_candidates.min_similarity BETWEEN 0 AND 1,
                          format('min_similarity must be from 0 to 1, got %s', duplicate_candidates.min_similarity));
    PERFORM pgrag.require(duplicate_candidates.max_distance BETWEEN 0 AND 2,
                          format('max_distance must be from 0 to 2, got %s', duplicate_candidates.max_distance));
    IF duplicate_candidates.name IS NOT NULL THEN
        asked := ARRAY[pgrag.entity_named(in_workspace, duplicate_candidates.name)];
    ELSE
        asked := ARRAY(SELECT e.id FROM pgrag.entity e WHERE e.workspace_id = in_workspace
                        ORDER BY e.degree DESC, e.name_key LIMIT duplicate_candidates.max_entities);
    END IF;
    RETURN QUERY
    SELECT p.one, a.name, p.other, b.name, p.similarity, p.distance,
           (p.similarity + greatest(1 - coalesce(p.distance, 1), 0)) / 2,
           CASE WHEN p.similarity < duplicate_candidates.min_similarity THEN 'meaning'
                WHEN p.distance <= duplicate_candidates.max_distance THEN 'both' ELSE 'name' END
      FROM pgrag.entities_alike(in_workspace, asked, duplicate_candidates.min_similarity,
                                duplicate_candidates.max_distance) p
      JOIN pgrag.entity a ON a.workspace_id = in_workspace AND a.id = p.one
      JOIN pgrag.entity b ON b.workspace_id = in_workspace AND b.id = p.other
     ORDER BY 7 DESC, a.name_key COLLATE "C", b.name_key COLLATE "C"
     LIMIT duplicate_candidates.top_k;
END $$;
COMMENT ON FUNCTION pgrag.duplicate_candidates(text, text, int, float8, float8, int) IS
    'Pairs of entities that may be one thing, best first, by the likeness of their names and the nearness of their embeddings.';
