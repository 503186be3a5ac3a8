-- The top_k entities of a workspace nearest to an embedding: by cosine distance (0..2), then id. Each is looked at. No rows
-- for a NULL argument.
-- (MATERIALIZED keeps the vector index out; STRICT keeps all this out of the caller's plan: a search that the index
-- answers does not pay for it.)
CREATE OR REPLACE FUNCTION pgrag.nearest_entities_exactly(workspace_id bigint, query_embedding vector, top_k int)
RETURNS TABLE (entity_id bigint, distance float8)
LANGUAGE sql STABLE STRICT PARALLEL SAFE ROWS 40
BEGIN ATOMIC
    WITH measured AS MATERIALIZED (
        SELECT x.entity_id, x.embedding <=> (SELECT nearest_entities_exactly.query_embedding::halfvec) AS distance
          FROM pgrag.entity_embedding x
         WHERE x.workspace_id = nearest_entities_exactly.workspace_id
    )
    SELECT m.entity_id, m.distance
      FROM measured m
     ORDER BY m.distance, m.entity_id
     LIMIT nearest_entities_exactly.top_k;
END;
COMMENT ON FUNCTION pgrag.nearest_entities_exactly(bigint, vector, int) IS
    'The top_k entities of a workspace nearest to an embedding: by cosine distance, then id. Each is looked at.';
