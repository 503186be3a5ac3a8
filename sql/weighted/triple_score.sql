-- The score of a triple, 0..1: quality / hops * weight / (1 + weight). quality (0..1) is how well the question's name matches
-- the entity that the walk began at, hops (1..) how far the relation is from it, weight (0..) the weight of the relation: 1,
-- of a relation that one chunk states, counts one half, 3 three quarters. Grows with quality and weight, falls with hops.
CREATE OR REPLACE FUNCTION pgrag.triple_score(quality float8, hops int, weight float8)
RETURNS float8
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
BEGIN ATOMIC
    SELECT triple_score.quality / triple_score.hops * (1 - 1 / (1 + triple_score.weight));
END;
COMMENT ON FUNCTION pgrag.triple_score(float8, int, float8) IS
    'The score of a triple, 0..1: quality / hops * weight / (1 + weight).';
