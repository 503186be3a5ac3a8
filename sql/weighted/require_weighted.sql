-- Nothing, when the arguments of retrieve_weighted are in their domains; else error RG001, or RG003 for an embedding of other
-- dimensions. The workspace is not looked at.
CREATE OR REPLACE FUNCTION pgrag.require_weighted(
    query_embedding vector, entity_names text[], query_text text, vector_weight float8, graph_weight float8,
    text_weight float8, top_k int, max_depth int, fusion text, max_distance float8, filter jsonb)
RETURNS void
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    weight record;
BEGIN
    FOR weight IN SELECT * FROM (VALUES ('vector_weight', vector_weight), ('graph_weight', graph_weight),
                                        ('text_weight', text_weight)) AS w (argument, value) LOOP
        PERFORM pgrag.require(weight.value >= 0 AND weight.value < 'Infinity',
            format('%s must be a number of 0 or more, got %s', weight.argument, coalesce(weight.value::text, 'NULL')));
    END LOOP;
    PERFORM pgrag.require(fusion IN ('weighted', 'rrf'), format('unknown fusion %L', fusion), 'one of weighted, rrf'),
            pgrag.require_search(query_embedding, top_k, max_distance, filter),
            pgrag.require_at_least('max_depth', max_depth, 1),
            pgrag.require(vector_weight > 0 AND query_embedding IS NOT NULL
                          OR graph_weight > 0 AND cardinality(entity_names) > 0
                          OR text_weight > 0 AND btrim(query_text) <> '',
                'nothing to search with: every source lacks its question or its weight',
                'Give query_embedding, entity_names or query_text, and its weight above 0.');
END $$;
COMMENT ON FUNCTION pgrag.require_weighted(
    vector, text[], text, float8, float8, float8, int, int, text, float8, jsonb) IS
    'Nothing, when the arguments of retrieve_weighted are in their domains; else error RG001 or RG003.';
