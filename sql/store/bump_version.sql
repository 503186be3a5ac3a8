-- The new corpus version of the workspace. The last statement of every transaction that changes what retrieval can
-- return: writers queue on this row only from here to their commit.
CREATE OR REPLACE FUNCTION pgrag.bump_version(workspace_id bigint)
RETURNS bigint
LANGUAGE sql VOLATILE
BEGIN ATOMIC
    UPDATE pgrag.workspace w SET corpus_version = w.corpus_version + 1
     WHERE w.id = bump_version.workspace_id
    RETURNING w.corpus_version;
END;
COMMENT ON FUNCTION pgrag.bump_version(bigint) IS
    'The new corpus version of the workspace; the last statement of every transaction that changes what retrieval can return.';
