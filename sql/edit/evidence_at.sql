-- What chunks say of the given relations, and the sleeping pieces that one of the given names is an end of: which relation
-- each belongs to at present (NULL: it sleeps), and which entities its names mean. No promised order.
CREATE OR REPLACE FUNCTION pgrag.evidence_at(workspace_id bigint, relation_ids bigint[], name_keys text[])
RETURNS TABLE (chunk_id bigint, source_key text, target_key text, source text, target text, relation_id bigint,
               source_means text, target_means text)
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT v.chunk_id, v.source_key, v.target_key, v.source, v.target, v.relation_id,
           coalesce(a.canonical_key, v.source_key), coalesce(b.canonical_key, v.target_key)
      FROM (SELECT p.* FROM pgrag.relation_evidence p
             WHERE p.workspace_id = evidence_at.workspace_id AND p.relation_id = ANY (evidence_at.relation_ids)
            UNION ALL
            SELECT p.* FROM pgrag.relation_evidence p
             WHERE p.workspace_id = evidence_at.workspace_id AND p.relation_id IS NULL
               AND (p.source_key = ANY (evidence_at.name_keys) OR p.target_key = ANY (evidence_at.name_keys))) v
      LEFT JOIN pgrag.entity_alias a ON a.workspace_id = v.workspace_id AND a.alias_key = v.source_key
      LEFT JOIN pgrag.entity_alias b ON b.workspace_id = v.workspace_id AND b.alias_key = v.target_key;
END;
COMMENT ON FUNCTION pgrag.evidence_at(bigint, bigint[], text[]) IS
    'What chunks say of the given relations, and the sleeping pieces that one of the given names is an end of.';
