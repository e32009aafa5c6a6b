/* Functions whose bodies are SQL expressions. A call is replaced by the body. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

/* For the SQL operator OVERLAPS. FROM is the earlier end of a period, which is known if one end is
 * known. TO is the later end, which is known only if both are. */
#define FROM(a, b) "least(" a ", " b ")"
#define TO(a, b) "CASE WHEN " a " IS NOT NULL AND " b " IS NOT NULL THEN greatest(" a ", " b ") END"
/* Whether two periods (f1, t1) and (f2, t2) overlap, as the standard defines it (SQL:2016, 8.14).
 * The result is NULL if NULL ends leave it unknown. */
#define OVERLAP(f1, t1, f2, t2) \
   "CASE WHEN " f1 " IS NULL OR " f2 " IS NULL THEN NULL" \
   " WHEN " f1 " > " f2 " THEN CASE WHEN " f1 " < " t2 " THEN true WHEN " t2 " IS NULL OR " t1 \
   " IS NULL THEN NULL ELSE false END" \
   " WHEN " f1 " < " f2 " THEN CASE WHEN " f2 " < " t1 " THEN true WHEN " t1 " IS NULL OR " t2 \
   " IS NULL THEN NULL ELSE false END" \
   " WHEN " t1 " IS NULL OR " t2 " IS NULL THEN NULL ELSE true END"
#define OVERLAPS(sig, e1, e2, ex) \
   {.name = "overlaps", \
    .signature = sig " -> bool", \
    .flags = MT_F_NOT_STRICT | MT_F_SYNTAX, \
    .sql = OVERLAP (FROM ("$1", e1), "(" TO ("$1", e1) ")", FROM ("$3", e2), \
                    "(" TO ("$3", e2) ")"), \
    .summary = "whether two periods overlap", \
    .example = ex}
#define ALL_OVERLAPS(T, a, b) \
   OVERLAPS (T ", " T ", " T ", " T, "$2", "$4", \
             "SELECT (" T " '" a "', " T " '" b "') OVERLAPS (" T " '" b "', " T " '" a \
             "') => t"), \
      OVERLAPS (T ", interval, " T ", interval", "($1 + $2)", "($3 + $4)", \
                "SELECT (" T " '" a "', interval '1 h') OVERLAPS (" T " '" a \
                "', interval '2 h') => t"), \
      OVERLAPS (T ", interval, " T ", " T, "($1 + $2)", "$4", \
                "SELECT (" T " '" a "', interval '0') OVERLAPS (" T " '" b "', " T " '" b \
                "') => f"), \
      OVERLAPS (T ", " T ", " T ", interval", "$2", "($3 + $4)", \
                "SELECT (" T " '" a "', " T " '" a "') OVERLAPS (" T " '" b \
                "', interval '0') => f")

#define ROW(name_, sig, flags_, body, what, ex) \
   {.name = name_, .signature = sig, .flags = flags_, .sql = body, .summary = what, .example = ex}

const MtFunc mt_fn_sql[] = {
   /* numbers */
   ROW ("ceiling", "float8 -> float8", 0, "ceil($1)", "smallest integer that is not less",
        "SELECT ceiling(42.2::float8) => 43"),
   ROW ("log10", "float8 -> float8", 0, "log($1)", "logarithm to base 10",
        "SELECT log10(100::float8) => 2"),
   ROW ("pow", "float8, float8 -> float8", 0, "power($1, $2)", "x raised to the power y",
        "SELECT pow(2, 10) => 1024"),
   ROW ("^", "float8, float8 -> float8", MT_F_OPERATOR, "power($1, $2)", "x raised to the power y",
        "SELECT 2 ^ 10 => 1024"),
   ROW ("ceiling", "numeric -> numeric", 0, "ceil($1)", "smallest integer that is not less",
        "SELECT ceiling(42.2::numeric) => 43"),
   ROW ("log10", "numeric -> numeric", 0, "log($1)", "logarithm to base 10",
        "SELECT log10(1000.0) => 3.0000000000000000"),
   ROW ("pow", "numeric, numeric -> numeric", 0, "power($1, $2)", "x raised to the power y",
        "SELECT pow(9.0, 3) => 729.0000000000000000"),
   ROW ("^", "numeric, numeric -> numeric", MT_F_OPERATOR, "power($1, $2)",
        "x raised to the power y", "SELECT 2.0 ^ 3 => 8.0000000000000000"),
   ROW ("mod", "int2, int2 -> int2", 0, "$1 % $2", "remainder",
        "SELECT mod(7::int2, 4::int2) => 3"),
   ROW ("mod", "int4, int4 -> int4", 0, "$1 % $2", "remainder",
        "SELECT mod(7::int4, 4::int4) => 3"),
   ROW ("mod", "int8, int8 -> int8", 0, "$1 % $2", "remainder",
        "SELECT mod(7::int8, 4::int8) => 3"),
   ROW ("mod", "numeric, numeric -> numeric", 0, "$1 % $2", "remainder",
        "SELECT mod(7::numeric, 4::numeric) => 3"),
   ROW ("@", "int2 -> int2", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::int2 => 5"),
   ROW ("@", "int4 -> int4", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::int4 => 5"),
   ROW ("@", "int8 -> int8", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::int8 => 5"),
   ROW ("@", "numeric -> numeric", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::numeric => 5"),
   ROW ("@", "float4 -> float4", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::float4 => 5"),
   ROW ("@", "float8 -> float8", MT_F_OPERATOR, "abs($1)", "absolute value",
        "SELECT @ (-5)::float8 => 5"),
   ROW ("|/", "float8 -> float8", MT_F_OPERATOR, "sqrt($1)", "square root", "SELECT |/ 25.0 => 5"),
   ROW ("||/", "float8 -> float8", MT_F_OPERATOR, "cbrt($1)", "cube root", "SELECT ||/ 8.0 => 2"),
   ROW ("degrees", "float8 -> float8", 0, "$1 / '0.0174532925199432957692'::float8",
        "radians to degrees", "SELECT degrees(pi()) => 180"),
   ROW ("radians", "float8 -> float8", 0, "$1 * '0.0174532925199432957692'::float8",
        "degrees to radians", "SELECT radians(0) => 0"),
   ROW ("round", "numeric -> numeric", 0, "round($1, 0)",
        "nearest integer; halves are rounded away from zero", "SELECT round(2.5) => 3"),
   ROW ("trunc", "numeric -> numeric", 0, "trunc($1, 0)", "number truncated towards zero",
        "SELECT trunc(-42.8) => -42"),
   ROW ("log", "numeric -> numeric", 0, "log(10, $1)", "logarithm to base 10",
        "SELECT log(100.0) => 2.0000000000000000"),
   ROW ("atand", "float8 -> float8", 0, "atan($1) / atan(1::float8) * 45",
        "inverse tangent, in degrees", "SELECT atand(1) => 45"),
   ROW ("atan2d", "y float8, x float8 -> float8", 0, "atan2($1, $2) / atan(1::float8) * 45",
        "angle of a point, in degrees", "SELECT atan2d(1, 0) => 90"),
   ROW ("gcd", "int4, int4 -> int4", 0, "gcd($1::int8, $2::int8)::int4", "greatest common divisor",
        "SELECT gcd(1071, 462) => 21"),
   ROW ("lcm", "int4, int4 -> int4", 0, "lcm($1::int8, $2::int8)::int4", "least common multiple",
        "SELECT lcm(4, 6) => 12"),
   /* text and bytes */
   ROW ("char_length", "text -> int4", 0, "length($1)", "number of characters",
        "SELECT char_length('josé') => 4"),
   ROW ("character_length", "text -> int4", 0, "length($1)", "number of characters",
        "SELECT character_length('josé') => 4"),
   ROW ("octet_length", "bytea -> int4", 0, "length($1)", "number of bytes",
        "SELECT octet_length('ab'::bytea) => 2"),
   ROW ("bit_length", "text -> int4", 0, "octet_length($1) * 8", "number of bits in UTF-8",
        "SELECT bit_length('jose') => 32"),
   ROW ("bit_length", "bytea -> int4", 0, "length($1) * 8", "number of bits",
        "SELECT bit_length('jose'::bytea) => 32"),
   ROW ("btrim", "text -> text", 0, "btrim($1, ' ')", "text without spaces at both ends",
        "SELECT btrim('  a ') => a"),
   ROW ("ltrim", "text -> text", 0, "ltrim($1, ' ')", "text without spaces at the start",
        "SELECT ltrim('  a') => a"),
   ROW ("rtrim", "text -> text", 0, "rtrim($1, ' ')", "text without spaces at the end",
        "SELECT rtrim('a  ') => a"),
   ROW ("substr", "text, from int4 -> text", 0, "substring($1, $2)", "text from a position on",
        "SELECT substr('alphabet', 3) => phabet"),
   ROW ("substr", "text, from int4, count int4 -> text", 0, "substring($1, $2, $3)",
        "n characters from a position on", "SELECT substr('alphabet', 3, 2) => ph"),
   ROW ("substr", "bytea, from int4 -> bytea", 0, "substring($1, $2)", "bytes from a position on",
        "SELECT substr('abc'::bytea, 2) => \\x6263"),
   ROW ("substr", "bytea, from int4, count int4 -> bytea", 0, "substring($1, $2, $3)",
        "n bytes from a position on", "SELECT substr('abc'::bytea, 2, 1) => \\x62"),
   ROW ("lpad", "text, length int4 -> text", 0, "lpad($1, $2, ' ')",
        "text padded on the left to a length", "SELECT lpad('hi', 4) || '|' =>   hi|"),
   ROW ("rpad", "text, length int4 -> text", 0, "rpad($1, $2, ' ')",
        "text padded on the right to a length", "SELECT rpad('hi', 4) || '|' => hi  |"),
   ROW ("position", "text, what text -> int4", 0, "strpos($1, $2)", "position of a text, or 0",
        "SELECT position('om' IN 'Thomas') => 3"),
   ROW ("^@", "text, prefix text -> bool", MT_F_OPERATOR, "starts_with($1, $2)",
        "whether the text begins with a prefix", "SELECT 'alphabet' ^@ 'alph' => t"),
   ROW ("quote_nullable", "any -> text", MT_F_NOT_STRICT | MT_F_ANY_CAST,
        "coalesce(quote_literal($1), 'NULL')",
        "text quoted as an SQL string literal; NULL becomes the word NULL",
        "SELECT quote_nullable(NULL) => NULL"),
   ROW ("to_hex", "int4 -> text", 0, "to_hex($1 & 4294967295)", "number in hexadecimal",
        "SELECT to_hex(255) => ff"),
   ROW ("md5", "text -> text", 0, "md5(convert_to($1, 'UTF8'))", "MD5 in hexadecimal",
        "SELECT md5('abc') => 900150983cd24fb0d6963f7d28e17f72"),
   ROW ("overlay", "bytea, with bytea, from int4, count int4 -> bytea", 0,
        "substring($1, 1, $3 - 1) || $2 || substring($1, $3 + $4)", "text with a part replaced",
        "SELECT overlay('\\x616263'::bytea PLACING '\\x58' FROM 2 FOR 1) => \\x615863"),
   ROW ("overlay", "bytea, with bytea, from int4 -> bytea", 0, "overlay($1, $2, $3, length($2))",
        "text with a part replaced",
        "SELECT overlay('\\x616263'::bytea PLACING '\\x58' FROM 2) => \\x615863"),
   /* regular expressions */
   ROW ("regexp_like", "text, pattern text -> bool", 0, "$1 ~ $2",
        "whether the text matches a regular expression", "SELECT regexp_like('Hello', 'l+') => t"),
   ROW ("regexp_replace", "text, pattern text, replacement text -> text", 0,
        "regexp_replace($1, $2, $3, '')", "text with the first match replaced",
        "SELECT regexp_replace('Thomas', '.[mN]a.', 'M') => ThM"),
   ROW ("regexp_replace", "text, pattern text, replacement text, start int4 -> text", 0,
        "regexp_replace($1, $2, $3, $4, 1, '')",
        "text with the first match after a position replaced",
        "SELECT regexp_replace('foobar', 'o', 'x', 3) => foxbar"),
   ROW ("regexp_replace", "text, pattern text, replacement text, start int4, N int4 -> text", 0,
        "regexp_replace($1, $2, $3, $4, $5, '')",
        "text with the Nth match replaced; 0: all matches",
        "SELECT regexp_replace('A PostgreSQL function', 'a|e|i|o|u', 'X', 1, 3) => A PostgreSQL "
        "fXnction"),
   ROW ("regexp_count", "text, pattern text -> int4", 0, "regexp_count($1, $2, 1, '')",
        "number of matches of a regular expression",
        "SELECT regexp_count('123456789012', '\\d\\d\\d') => 4"),
   ROW ("regexp_count", "text, pattern text, start int4 -> int4", 0, "regexp_count($1, $2, $3, '')",
        "number of matches of a regular expression",
        "SELECT regexp_count('123456789012', '\\d\\d\\d', 2) => 3"),
   ROW ("regexp_instr", "text, pattern text -> int4", 0, "regexp_instr($1, $2, 1, 1, 0, '', 0)",
        "position of the Nth match (endoption 1: after the match), or 0",
        "SELECT regexp_instr('number of your street, town zip, FR', '[^,]+') => 1"),
   ROW ("regexp_instr", "text, pattern text, start int4 -> int4", 0,
        "regexp_instr($1, $2, $3, 1, 0, '', 0)",
        "position of the Nth match (endoption 1: after the match), or 0",
        "SELECT regexp_instr('ABCABC', 'B', 3) => 5"),
   ROW ("regexp_instr", "text, pattern text, start int4, N int4 -> int4", 0,
        "regexp_instr($1, $2, $3, $4, 0, '', 0)",
        "position of the Nth match (endoption 1: after the match), or 0",
        "SELECT regexp_instr('number of your street, town zip, FR', '[^,]+', 1, 2) => 23"),
   ROW ("regexp_instr", "text, pattern text, start int4, N int4, endoption int4 -> int4", 0,
        "regexp_instr($1, $2, $3, $4, $5, '', 0)",
        "position of the Nth match (endoption 1: after the match), or 0",
        "SELECT regexp_instr('ABCABC', 'B', 1, 2, 1) => 6"),
   ROW ("regexp_instr",
        "text, pattern text, start int4, N int4, endoption int4, flags text -> int4", 0,
        "regexp_instr($1, $2, $3, $4, $5, $6, 0)",
        "position of the Nth match (endoption 1: after the match), or 0",
        "SELECT regexp_instr('ABCABC', 'b', 1, 2, 0, 'i') => 5"),
   ROW ("regexp_substr", "text, pattern text -> text", 0, "regexp_substr($1, $2, 1, 1, '', 0)",
        "Nth match, or one of its groups",
        "SELECT regexp_substr('number of your street, town zip, FR', '[^,]+') => number of your "
        "street"),
   ROW ("regexp_substr", "text, pattern text, start int4 -> text", 0,
        "regexp_substr($1, $2, $3, 1, '', 0)", "Nth match, or one of its groups",
        "SELECT regexp_substr('ABCDEF', '[A-Z]+', 3) => CDEF"),
   ROW ("regexp_substr", "text, pattern text, start int4, N int4 -> text", 0,
        "regexp_substr($1, $2, $3, $4, '', 0)", "Nth match, or one of its groups",
        "SELECT regexp_substr('number of your street, town zip, FR', '[^,]+', 1, 2) =>  town zip"),
   ROW ("regexp_substr", "text, pattern text, start int4, N int4, flags text -> text", 0,
        "regexp_substr($1, $2, $3, $4, $5, 0)", "Nth match, or one of its groups",
        "SELECT regexp_substr('ABCDEF', 'c.', 1, 1, 'i') => CD"),
   /* times */
   ROW ("date_part", "unit text, t timestamp -> float8", 0, "\"extract\"($1, $2)::float8",
        "part of a time, such as 'hour'",
        "SELECT date_part('hour', timestamp '2001-02-16 20:38:40') => 20"),
   ROW ("date_part", "unit text, t timestamptz -> float8", 0, "\"extract\"($1, $2)::float8",
        "part of a time, such as 'hour'",
        "SELECT date_part('hour', timestamptz '2001-02-16 20:38:40+00') => 20"),
   ROW ("date_part", "unit text, d date -> float8", 0, "\"extract\"($1, $2)::float8",
        "part of a time, such as 'hour'", "SELECT date_part('doy', date '2001-02-16') => 47"),
   ROW ("date_part", "unit text, t time -> float8", 0, "\"extract\"($1, $2)::float8",
        "part of a time, such as 'hour'", "SELECT date_part('hour', time '20:38:40') => 20"),
   ROW ("date_part", "unit text, i interval -> float8", 0, "\"extract\"($1, $2)::float8",
        "part of a time, such as 'hour'", "SELECT date_part('hour', interval '3 hours') => 3"),
   ROW ("current_timestamp", "-> timestamptz", 0, "now()", "time at the start of the transaction",
        "SELECT current_timestamp = now() => t"),
   ROW ("transaction_timestamp", "-> timestamptz", 0, "now()",
        "time at the start of the transaction", "SELECT transaction_timestamp() = now() => t"),
   ROW ("current_date", "-> date", 0, "localtimestamp::date",
        "current date in the session's time zone", "SELECT current_date = now()::date => t"),
   ROW ("localtime", "-> time", 0, "localtimestamp::time",
        "local time of day at the start of the transaction", "SELECT localtime = now()::time => t"),
   ROW ("age", "timestamp -> interval", 0, "age(current_date::timestamp, $1)",
        "years, months and days until today", "SELECT age(current_date::timestamp) => 00:00:00"),
   ROW ("isfinite", "t timestamp -> bool", MT_F_NOT_STRICT,
        "$1 NOT IN ('infinity'::timestamp, '-infinity'::timestamp)", "whether the time is finite",
        "SELECT isfinite(timestamp '2001-02-16') => t"),
   ROW ("age", "timestamptz -> interval", 0, "age(current_date::timestamptz, $1)",
        "years, months and days until today", "SELECT age(current_date::timestamptz) => 00:00:00"),
   ROW ("isfinite", "t timestamptz -> bool", MT_F_NOT_STRICT,
        "$1 NOT IN ('infinity'::timestamptz, '-infinity'::timestamptz)",
        "whether the time is finite", "SELECT isfinite(timestamptz 'infinity') => f"),
   ROW ("isfinite", "d date -> bool", MT_F_NOT_STRICT,
        "$1 NOT IN ('infinity'::date, '-infinity'::date)", "whether the time is finite",
        "SELECT isfinite(date '2001-02-16') => t"),
   ROW ("isfinite", "i interval -> bool", 0, "true", "always true",
        "SELECT isfinite(interval '4 hours') => t"),
   ROW ("make_timestamptz",
        "year int4, month int4, mday int4, hour int4, min int4, sec float8 -> timestamptz", 0,
        "make_timestamp($1, $2, $3, $4, $5, $6)::timestamptz",
        "timestamptz from its parts, in the session's time zone",
        "SELECT make_timestamptz(2013, 7, 15, 8, 15, 23.5) => 2013-07-15 08:15:23.5+00"),
   ROW ("time_bucket", "bucket_width int4, ts int4 -> int4", 0, "time_bucket($1, $2, 0)",
        "start of the bucket of integers", "SELECT time_bucket(5, 13) => 10"),
   ROW ("time_bucket", "bucket_width int8, ts int8 -> int8", 0, "time_bucket($1, $2, 0)",
        "start of the bucket of integers", "SELECT time_bucket(5::bigint, -1) => -5"),
   ROW ("time_bucket", "bucket_width int2, ts int2 -> int2", 0, "time_bucket($1, $2, 0::int2)",
        "start of the bucket of integers", "SELECT time_bucket(5::smallint, 13::smallint) => 10"),
   /* periods */
   ALL_OVERLAPS ("timestamptz", "2001-02-16 00:00+00", "2001-12-21 00:00+00"),
   ALL_OVERLAPS ("timestamp", "2001-02-16", "2001-12-21"),
   ALL_OVERLAPS ("time", "10:00", "20:00"),
   {.name = NULL},
};
