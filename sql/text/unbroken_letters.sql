-- The letters of scripts that write without spaces between words, as a bracket expression: Chinese, Japanese (also what is
-- common to both: 々, ー), Thai, Lao, Tibetan, Burmese, Khmer. Text must be in NFKC for it (half-width kana are folded then).
CREATE OR REPLACE FUNCTION pgrag.unbroken_letters()
RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT '[\u0E00-\u0EFF\u0F40-\u0FFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u312F\u31F0-\u31FF'
        || '\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\U00020000-\U0003FFFF]';
END;
COMMENT ON FUNCTION pgrag.unbroken_letters() IS
    'The letters of scripts that write without spaces between words, as a bracket expression.';
