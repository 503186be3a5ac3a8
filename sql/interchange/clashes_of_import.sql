-- Lines of an import that can never be taken: documents and chunks that the workspace has already, aliases that would not
-- resolve to one entity, and evidence whose keys mean something else. One row each, no promised order. workspace_id is NULL
-- for a workspace still to be made. The keys must be filled in (resolve_import).
CREATE OR REPLACE FUNCTION pgrag.clashes_of_import(workspace_id bigint)
RETURNS TABLE (file text, line int, reason text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN QUERY
    SELECT 'documents.jsonl', i.line, format('document %L is in the workspace already', i.id)
      FROM pg_temp.pgrag_import_documents i
      JOIN pgrag.document d ON d.workspace_id = clashes_of_import.workspace_id AND d.document_key = i.id
    UNION ALL
    SELECT 'chunks.jsonl', i.line, format('chunk %L is in the workspace already', i.id)
      FROM pg_temp.pgrag_import_chunks i
      JOIN pgrag.chunk c ON c.workspace_id = clashes_of_import.workspace_id AND c.chunk_key = i.id
     WHERE i.local_id IS NOT TRUE;

    RETURN QUERY
    WITH given AS (
        SELECT i.line, i.alias, i.name, i.alias_key, i.key FROM pg_temp.pgrag_import_aliases i
    ), known AS (
        SELECT a.alias_key, a.canonical_key AS key FROM pgrag.entity_alias a
         WHERE a.workspace_id = clashes_of_import.workspace_id
    )
    SELECT 'aliases.jsonl', g.line, p.reason
      FROM given g,
           LATERAL (VALUES
               (g.alias_key = g.key, format('alias %L is the name itself', g.alias)),
               (EXISTS (SELECT FROM given o WHERE o.alias_key = g.alias_key AND o.key <> g.key AND o.line < g.line)
                OR EXISTS (SELECT FROM known k WHERE k.alias_key = g.alias_key AND k.key <> g.key),
                format('alias %L means another entity already', g.alias)),
               (EXISTS (SELECT FROM given o WHERE o.alias_key = g.key AND o.alias_key <> g.alias_key)
                OR EXISTS (SELECT FROM known k WHERE k.alias_key = g.key),
                format('%L, which alias %L means, is an alias itself', g.name, g.alias)),
               (EXISTS (SELECT FROM known k WHERE k.key = g.alias_key),
                format('other aliases of the workspace mean %L, so it cannot become an alias', g.alias)),
               (EXISTS (SELECT FROM pgrag.entity e
                         WHERE e.workspace_id = clashes_of_import.workspace_id AND e.name_key = g.alias_key),
                format('alias %L is the name of an entity of the workspace', g.alias))) p(is_so, reason)
     WHERE p.is_so;

    RETURN QUERY SELECT s.* FROM pgrag.strays_of_import(clashes_of_import.workspace_id) s;
END $$;
COMMENT ON FUNCTION pgrag.clashes_of_import(bigint) IS
    'Lines of an import that can never be taken: what the workspace has already, and what does not resolve.';
