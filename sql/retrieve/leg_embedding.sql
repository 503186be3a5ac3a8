-- The embedding that a leg (local, global, vector) of a mode is walked with; NULL when it is not walked. Local has that of the
-- low-level keywords, global that of the high-level ones, vector the question's. With neither level given, the question
-- serves every leg of the mode; with one missing, its leg is skipped, but in local and global the question serves it.
CREATE OR REPLACE FUNCTION pgrag.leg_embedding(
    leg text, mode text, query_embedding vector, low_level_embedding vector, high_level_embedding vector)
RETURNS vector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT CASE WHEN leg_embedding.leg = 'vector'
                THEN CASE WHEN leg_embedding.mode IN ('mix', 'naive') THEN leg_embedding.query_embedding END
                WHEN leg_embedding.mode = leg_embedding.leg
                  OR leg_embedding.mode IN ('hybrid', 'mix')
                     AND leg_embedding.low_level_embedding IS NULL AND leg_embedding.high_level_embedding IS NULL
                THEN coalesce(CASE leg_embedding.leg WHEN 'local' THEN leg_embedding.low_level_embedding
                                                     ELSE leg_embedding.high_level_embedding END,
                              leg_embedding.query_embedding)
                WHEN leg_embedding.mode IN ('hybrid', 'mix')
                THEN CASE leg_embedding.leg WHEN 'local' THEN leg_embedding.low_level_embedding
                                            ELSE leg_embedding.high_level_embedding END
           END;
END;
COMMENT ON FUNCTION pgrag.leg_embedding(text, text, vector, vector, vector) IS
    'The embedding that a leg (local, global, vector) of a mode is walked with; NULL when it is not walked.';
