-- Nothing, when the import can be taken; else error RG001 that names the first offending line, file by file. `strict`
-- refuses what would be mended, too. The keys must be filled in (resolve_import).
CREATE OR REPLACE FUNCTION pgrag.require_importable(workspace_id bigint, strict boolean)
RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    offender record;
BEGIN
    SELECT p.* INTO offender
      FROM (SELECT c.file, c.line, c.reason, 'clash' AS kind, NULL AS cure
              FROM pgrag.clashes_of_import(require_importable.workspace_id) c
            UNION ALL
            SELECT o.file, o.line, o.reason, o.kind, 'Without --strict this would be mended.'
              FROM pgrag.oddities_of_import(require_importable.workspace_id) o WHERE require_importable.strict) p
     ORDER BY array_position(ARRAY['documents.jsonl', 'chunks.jsonl', 'aliases.jsonl', 'entities.jsonl', 'relations.jsonl',
                                   'sleeping.jsonl'], p.file), p.line,
              array_position(ARRAY['clash', 'merged', 'skipped', 'created', 'by_hand', 'repeated'], p.kind), p.reason
     LIMIT 1;
    PERFORM pgrag.require(offender.file IS NULL, format('%s, line %s: %s', offender.file, offender.line, offender.reason),
                          offender.cure);
END $$;
COMMENT ON FUNCTION pgrag.require_importable(bigint, boolean) IS
    'Nothing, when the import can be taken; else error RG001 that names the first offending line.';
