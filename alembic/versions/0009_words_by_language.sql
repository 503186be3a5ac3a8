-- A trigger keeps chunk.fts from now on (pgrag.text_words): the language is the workspace's own, and scripts that write
-- without spaces are found by pairs of letters. What was generated stays as it is for other chunks: the same words.
ALTER TABLE pgrag.chunk ALTER COLUMN fts DROP EXPRESSION;
UPDATE pgrag.chunk c
   SET fts = to_tsvector('pg_catalog.simple', regexp_replace(folded.content, folded.letters || '+', ' ', 'g'))
          || to_tsvector('pg_catalog.simple', coalesce((
                 SELECT string_agg(substr(found.run[1], place, 2), ' ')
                   FROM regexp_matches(folded.content, folded.letters || '+', 'g') AS found (run)
                  CROSS JOIN generate_series(1, greatest(length(found.run[1]) - 1, 1)) AS place), ''))
  FROM (SELECT k.workspace_id, k.id, normalize(k.content, NFKC) AS content,
               '[\u0E00-\u0EFF\u0F40-\u0FFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u312F\u31F0-\u31FF'
               || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]' AS letters
          FROM pgrag.chunk k
         WHERE k.content ~ '[^\u0001-\u007F]') folded
 WHERE c.workspace_id = folded.workspace_id AND c.id = folded.id;
COMMENT ON COLUMN pgrag.chunk.fts IS 'Its words, for full-text search, in the language of the workspace; a trigger keeps them.';
COMMENT ON COLUMN pgrag.workspace.settings IS 'Options of this workspace: max_tokens, text_language.';
