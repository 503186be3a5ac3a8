-- Whether joined descriptions may be over the limits of a join (8 fragments, or 1,200 tokens), so that they have to be
-- looked at with a tokenizer: a text never has more tokens than bytes. Never for a single fragment.
CREATE OR REPLACE FUNCTION pgrag.may_need_summary(description text)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT strpos(may_need_summary.description, '<SEP>') > 0
       AND (octet_length(may_need_summary.description) >= 1200
            OR cardinality(string_to_array(may_need_summary.description, '<SEP>')) >= 8);
END;
COMMENT ON FUNCTION pgrag.may_need_summary(text) IS
    'Whether joined descriptions may be over the limits of a join, so that they have to be looked at with a tokenizer.';
