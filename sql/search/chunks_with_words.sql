-- The top_k chunks that hold words of `query`, best first, with a score of 0..1: the share of the words, a rare one counting
-- more: each word ln(1 + chunks that hold the commonest word / chunks that hold it). 1: it holds every word that counts. Ties:
-- the one where the words come oftener and closer (ts_rank_cd; 1,000 ties are compared so), then id. No model is asked.
-- Words are those of text_words(), of the first 50 words of the query; a word that no chunk holds does not count. The rarest
-- count, as long as they bring no more than exact_scan_rows() chunks, and the rarest of all in any case, by the first that the
-- table holds: the others are in too many chunks to tell one from another, and cost most. With a filter, only chunks of
-- documents whose metadata contains it. No rows for a NULL query.
CREATE OR REPLACE FUNCTION pgrag.chunks_with_words(workspace_id bigint, query text, top_k int, filter jsonb DEFAULT NULL)
RETURNS TABLE (ordinal int, chunk_id bigint, score float8)
LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    WITH word AS MATERIALIZED (
        -- A lexeme in quotes is a query for itself, whatever it holds.
        SELECT u.lexeme, ('''' || replace(replace(u.lexeme, '\', '\\'), '''', '''''') || '''')::tsquery AS sought
          FROM unnest(pgrag.text_words(pgrag.text_language(chunks_with_words.workspace_id), chunks_with_words.query)) u
         ORDER BY u.positions[1], u.lexeme
         LIMIT 50
    ), within AS MATERIALIZED (
        SELECT d.id
          FROM pgrag.document d
         WHERE d.workspace_id = chunks_with_words.workspace_id AND d.metadata @> chunks_with_words.filter
    ), holding AS MATERIALIZED (
        SELECT w.lexeme, w.sought, h.chunk_ids, cardinality(h.chunk_ids) AS chunk_count
          FROM word w
         CROSS JOIN LATERAL (
               SELECT ARRAY(SELECT c.id FROM pgrag.chunk c
                             WHERE c.workspace_id = chunks_with_words.workspace_id AND c.fts @@ w.sought
                               AND (chunks_with_words.filter IS NULL OR c.document_id IN (SELECT d.id FROM within d))
                             LIMIT pgrag.exact_scan_rows()) AS chunk_ids) h
         WHERE cardinality(h.chunk_ids) > 0
    ), telling AS MATERIALIZED (
        SELECT r.*, ln(1 + max(r.chunk_count) OVER ()::float8 / r.chunk_count) AS weight
          FROM (SELECT h.*, row_number() OVER rarest_first AS place, sum(h.chunk_count) OVER rarest_first AS brought
                  FROM holding h WINDOW rarest_first AS (ORDER BY h.chunk_count, h.lexeme)) r
         WHERE r.place = 1 OR r.brought <= pgrag.exact_scan_rows()
    ), scored AS MATERIALIZED (
        SELECT c.id AS chunk_id, sum(t.weight ORDER BY t.place) / (SELECT sum(a.weight ORDER BY a.place) FROM telling a) AS score
          FROM telling t
         CROSS JOIN LATERAL unnest(t.chunk_ids) AS c (id)
         GROUP BY c.id
    ), foremost AS MATERIALIZED (
        SELECT f.chunk_id, f.score
          FROM (SELECT s.chunk_id, s.score, rank() OVER (ORDER BY s.score DESC) AS place FROM scored s) f
         WHERE f.place <= chunks_with_words.top_k
         ORDER BY f.score DESC, f.chunk_id
         LIMIT greatest(chunks_with_words.top_k, 1000)
    )
    SELECT (row_number() OVER (ORDER BY f.score DESC, f.density DESC, f.chunk_id))::int, f.chunk_id, f.score
      FROM (SELECT f.chunk_id, f.score,
                   ts_rank_cd(c.fts, (SELECT string_agg(t.sought::text, ' | ')::tsquery FROM telling t)) AS density
              FROM foremost f
             CROSS JOIN LATERAL (SELECT k.fts FROM pgrag.chunk k      -- LIMIT: one look-up each, never a scan
                                  WHERE k.workspace_id = chunks_with_words.workspace_id AND k.id = f.chunk_id LIMIT 1) c) f
     ORDER BY f.score DESC, f.density DESC, f.chunk_id
     LIMIT chunks_with_words.top_k;
END;
COMMENT ON FUNCTION pgrag.chunks_with_words(bigint, text, int, jsonb) IS
    'The top_k chunks that hold words of query, best first, with the share of the words that they hold.';
