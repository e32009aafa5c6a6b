/* The functions behind operators, with PostgreSQL's names, such as int4eq. Generated SQL and older
 * clients call them. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#define FORM(name_, sig_, body_, ex_) \
   {.name = name_, \
    .signature = sig_, \
    .flags = 0, \
    .sql = body_, \
    .summary = "the function behind an operator", \
    .example = ex_}
#define BINARY(name_, type_, to_, op_, ex_) \
   FORM (name_, type_ ", " type_ " -> " to_, "$1 " op_ " $2", ex_)

/* Rows of the six comparison functions of a type, such as int4eq. `pre` is the prefix of their
 * names. */
#define COMPARISONS(pre, type, small, large) \
   BINARY (pre "eq", type, "bool", "=", "SELECT " pre "eq(" small ", " small ") => t"), \
      BINARY (pre "ne", type, "bool", "<>", "SELECT " pre "ne(" small ", " small ") => f"), \
      BINARY (pre "lt", type, "bool", "<", "SELECT " pre "lt(" small ", " large ") => t"), \
      BINARY (pre "le", type, "bool", "<=", "SELECT " pre "le(" small ", " small ") => t"), \
      BINARY (pre "gt", type, "bool", ">", "SELECT " pre "gt(" small ", " large ") => f"), \
      BINARY (pre "ge", type, "bool", ">=", "SELECT " pre "ge(" small ", " large ") => f")

#define NUMBER(pre, type) \
   COMPARISONS (pre, type, "1::" type, "2::" type), \
      BINARY (pre "pl", type, type, "+", "SELECT " pre "pl(1::" type ", 2::" type ") => 3"), \
      BINARY (pre "mi", type, type, "-", "SELECT " pre "mi(3::" type ", 2::" type ") => 1"), \
      BINARY (pre "mul", type, type, "*", "SELECT " pre "mul(3::" type ", 2::" type ") => 6"), \
      BINARY (pre "div", type, type, "/", "SELECT " pre "div(6::" type ", 2::" type ") => 3")

#define LIKES(name, op, pattern, is) \
   BINARY (name, "text", "bool", op, "SELECT " name "('abc', '" pattern "') => " is)

const MtFunc mt_fn_forms[] = {
   BINARY ("jsonb_contains", "jsonb", "bool", "@>",
           "SELECT jsonb_contains('{\"a\": 1, \"b\": 2}', '{\"a\": 1}') => t"),
   BINARY ("jsonb_contained", "jsonb", "bool", "<@",
           "SELECT jsonb_contained('{\"a\": 1}', '{\"a\": 1, \"b\": 2}') => t"),
   BINARY ("jsonb_concat", "jsonb", "jsonb", "||", "SELECT jsonb_concat('[1]', '[2]') => [1, 2]"),
   FORM ("jsonb_exists", "jsonb, text -> bool", "$1 ? $2",
         "SELECT jsonb_exists('{\"a\": 1}', 'a') => t"),
   FORM ("jsonb_exists_any", "jsonb, text[] -> bool", "$1 ?| $2",
         "SELECT jsonb_exists_any('{\"a\": 1}', '{x,a}') => t"),
   FORM ("jsonb_exists_all", "jsonb, text[] -> bool", "$1 ?& $2",
         "SELECT jsonb_exists_all('{\"a\": 1}', '{x,a}') => f"),
   FORM ("jsonb_object_field", "from_json jsonb, field_name text -> jsonb", "$1 -> $2",
         "SELECT jsonb_object_field('{\"a\": \"x\"}', 'a') => \"x\""),
   FORM ("jsonb_object_field_text", "from_json jsonb, field_name text -> text", "$1 ->> $2",
         "SELECT jsonb_object_field_text('{\"a\": \"x\"}', 'a') => x"),
   FORM ("jsonb_array_element", "from_json jsonb, element_index int4 -> jsonb", "$1 -> $2",
         "SELECT jsonb_array_element('[1, \"x\"]', 1) => \"x\""),
   FORM ("jsonb_array_element_text", "from_json jsonb, element_index int4 -> text", "$1 ->> $2",
         "SELECT jsonb_array_element_text('[1, \"x\"]', 1) => x"),
   FORM ("jsonb_delete", "jsonb, text -> jsonb", "$1 - $2",
         "SELECT jsonb_delete('{\"a\": 1, \"b\": 2}', 'a'::text) => {\"b\": 2}"),
   FORM ("jsonb_delete", "jsonb, int4 -> jsonb", "$1 - $2",
         "SELECT jsonb_delete('[1, 2]', 0) => [2]"),
   FORM ("jsonb_delete_path", "jsonb, text[] -> jsonb", "$1 #- $2",
         "SELECT jsonb_delete_path('{\"a\": [1, 2]}', '{a,0}') => {\"a\": [2]}"),
   COMPARISONS ("jsonb_", "jsonb", "'1'::jsonb", "'2'::jsonb"),
   BINARY ("arraycontains", "anyarray", "bool", "@>",
           "SELECT arraycontains(ARRAY[1, 2], ARRAY[1]) => t"),
   BINARY ("arraycontained", "anyarray", "bool", "<@",
           "SELECT arraycontained(ARRAY[1], ARRAY[1, 2]) => t"),
   BINARY ("arrayoverlap", "anyarray", "bool", "&&",
           "SELECT arrayoverlap(ARRAY[1], ARRAY[1, 2]) => t"),
   COMPARISONS ("array_", "anyarray", "ARRAY[1]", "ARRAY[2]"),
   LIKES ("textlike", "~~", "a%", "t"),
   LIKES ("textnlike", "!~~", "a%", "f"),
   LIKES ("texticlike", "~~*", "A%", "t"),
   LIKES ("texticnlike", "!~~*", "A%", "f"),
   LIKES ("textregexeq", "~", "^a", "t"),
   LIKES ("textregexne", "!~", "^a", "f"),
   LIKES ("texticregexeq", "~*", "^A", "t"),
   LIKES ("texticregexne", "!~*", "^A", "f"),
   BINARY ("textcat", "text", "text", "||", "SELECT textcat('a', 'b') => ab"),
   BINARY ("texteq", "text", "bool", "=", "SELECT texteq('a', 'a') => t"),
   BINARY ("textne", "text", "bool", "<>", "SELECT textne('a', 'a') => f"),
   BINARY ("text_lt", "text", "bool", "<", "SELECT text_lt('a', 'b') => t"),
   BINARY ("text_le", "text", "bool", "<=", "SELECT text_le('a', 'b') => t"),
   BINARY ("text_gt", "text", "bool", ">", "SELECT text_gt('a', 'b') => f"),
   BINARY ("text_ge", "text", "bool", ">=", "SELECT text_ge('a', 'b') => f"),
   BINARY ("bytealike", "bytea", "bool", "~~", "SELECT bytealike('abc', 'a%') => t"),
   BINARY ("byteacat", "bytea", "bytea", "||", "SELECT byteacat('a', 'b') => \\x6162"),
   NUMBER ("int2", "int2"),
   NUMBER ("int4", "int4"),
   NUMBER ("int8", "int8"),
   NUMBER ("float4", "float4"),
   NUMBER ("float8", "float8"),
   COMPARISONS ("numeric_", "numeric", "1::numeric", "2::numeric"),
   BINARY ("numeric_add", "numeric", "numeric", "+", "SELECT numeric_add(1, 2) => 3"),
   BINARY ("numeric_sub", "numeric", "numeric", "-", "SELECT numeric_sub(3, 2) => 1"),
   BINARY ("numeric_mul", "numeric", "numeric", "*", "SELECT numeric_mul(3, 2) => 6"),
   BINARY ("numeric_mod", "numeric", "numeric", "%", "SELECT numeric_mod(7, 4) => 3"),
   COMPARISONS ("date_", "date", "'2020-01-01'", "'2020-01-02'"),
   FORM ("date_mi", "date, date -> int4", "$1 - $2",
         "SELECT date_mi('2020-01-02', '2020-01-01') => 1"),
   FORM ("date_pli", "date, int4 -> date", "$1 + $2",
         "SELECT date_pli('2020-01-02', 1) => 2020-01-03"),
   FORM ("date_mii", "date, int4 -> date", "$1 - $2",
         "SELECT date_mii('2020-01-02', 1) => 2020-01-01"),
   COMPARISONS ("timestamp_", "timestamp", "'2020-01-01'", "'2020-01-02'"),
   COMPARISONS ("timestamptz_", "timestamptz", "'2020-01-01'", "'2020-01-02'"),
   FORM ("timestamp_pl_interval", "timestamp, interval -> timestamp", "$1 + $2",
         "SELECT timestamp_pl_interval('2020-01-01', '1 day') => 2020-01-02 00:00:00"),
   FORM ("timestamp_mi_interval", "timestamp, interval -> timestamp", "$1 - $2",
         "SELECT timestamp_mi_interval('2020-01-02', '1 day') => 2020-01-01 00:00:00"),
   FORM ("timestamptz_pl_interval", "timestamptz, interval -> timestamptz", "$1 + $2",
         "SELECT timestamptz_pl_interval('2020-01-01', '1 day') => 2020-01-02 00:00:00+00"),
   FORM ("timestamptz_mi_interval", "timestamptz, interval -> timestamptz", "$1 - $2",
         "SELECT timestamptz_mi_interval('2020-01-02', '1 day') => 2020-01-01 00:00:00+00"),
   {.name = NULL},
};
