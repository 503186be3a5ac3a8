-- Writes chunks and their embeddings, by chunk_index; a token_count that is not given is the length in bytes, never below the
-- real count. In: the rows of upsert_chunks. Nothing is returned.
CREATE OR REPLACE FUNCTION pgrag.store_chunks(workspace_id bigint, document_id bigint, chunks jsonb, embeddings vector[])
RETURNS void
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    WITH given AS (
        SELECT r.*
          FROM ROWS FROM (jsonb_to_recordset(store_chunks.chunks)
                   AS (chunk_index int, content text, token_count int, metadata jsonb))
               WITH ORDINALITY AS r(chunk_index, content, token_count, metadata, ordinal)
    ), stored AS (
        INSERT INTO pgrag.chunk AS c (workspace_id, document_id, chunk_index, content, token_count, metadata)
        SELECT store_chunks.workspace_id, store_chunks.document_id, g.chunk_index, g.content,
               coalesce(g.token_count, octet_length(g.content)), coalesce(g.metadata, '{}')
          FROM given g
         ORDER BY g.chunk_index
        ON CONFLICT ON CONSTRAINT chunk_workspace_id_document_id_chunk_index_key DO UPDATE
            SET content = excluded.content, token_count = excluded.token_count, metadata = excluded.metadata
        RETURNING c.chunk_index, c.id
    )
    INSERT INTO pgrag.chunk_embedding (workspace_id, chunk_id, embedding)
    SELECT store_chunks.workspace_id, s.id, v.embedding::halfvec
      FROM stored s
      JOIN given g ON g.chunk_index = s.chunk_index
      JOIN unnest(store_chunks.embeddings) WITH ORDINALITY AS v(embedding, ordinal) ON v.ordinal = g.ordinal
     WHERE v.embedding IS NOT NULL
    ON CONFLICT ON CONSTRAINT chunk_embedding_pkey DO UPDATE SET embedding = excluded.embedding;
END;
COMMENT ON FUNCTION pgrag.store_chunks(bigint, bigint, jsonb, vector[]) IS
    'Writes chunks and their embeddings, by chunk_index.';
