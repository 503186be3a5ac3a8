-- The trigger of chunk.fts. Not a generated column: the language is the workspace's, and a column that names a text search
-- configuration would keep pg_upgrade from upgrading the server.
CREATE OR REPLACE TRIGGER keep_words BEFORE INSERT OR UPDATE OF content ON pgrag.chunk
    FOR EACH ROW EXECUTE FUNCTION pgrag.keep_words();
