/* Comparisons, IS DISTINCT FROM, GREATEST and LEAST, in PostgreSQL's sort order. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/datetime.h"
#include "types/enum.h"
#include "types/jsonb.h"
#include "types/record.h"
#include "functions/signature.h"
#include "query/comparison.h"

#include <math.h>
#include <string.h>

static int cmp64 (int64_t x, int64_t y) { return x < y ? -1 : x > y; }

static int cmp_double (double x, double y)
{
   if (isnan (x) || isnan (y))
      return isnan (x) - isnan (y);
   return x < y ? -1 : x > y;
}

static int cmp_bytes (MtVal a, MtVal b)
{
   int c = memcmp (a.p, b.p, a.len < b.len ? a.len : b.len);
   return c ? c : cmp64 (a.len, b.len);
}

static int compare_dims (MtTypeId element, MtVal a, MtVal b)
{
   size_t da[MT_MAX_ARRAY_DIMS], db[MT_MAX_ARRAY_DIMS];
   int na = mt_array_dims (a, element, da), nb = mt_array_dims (b, element, db), c = cmp64 (na, nb);
   for (int i = 0; c == 0 && i < na; i++)
      c = cmp64 ((int64_t) da[i], (int64_t) db[i]);
   return c;
}

/* Compares arrays as PostgreSQL's array_cmp does: the first differing element decides, over all
 * dimensions, where NULL is greatest. Otherwise the array with fewer elements is less, then the one
 * with fewer dimensions, then the one whose first differing dimension is shorter. Returns < 0, 0 or
 * > 0. */
static int compare_arrays (MtTypeId element, MtVal a, MtVal b)
{
   MtArrayIter i = mt_array_iter (a, element), j = mt_array_iter (b, element);
   MtVal x, y;
   for (;;) {
      bool more_a = mt_array_next (&i, &x), more_b = mt_array_next (&j, &y);
      if (!more_a && !more_b)
         return compare_dims (element, a, b);
      if (!more_a || !more_b)
         return more_a - more_b;
      bool null = mt_is_nullish (x) || mt_is_nullish (y);
      int c = null ? mt_is_nullish (x) - mt_is_nullish (y) : mt_datum_compare (element, x, y);
      if (c)
         return c;
   }
}

/* Compares records as PostgreSQL's record_cmp does: the first differing field decides, where NULL
 * is greatest. Returns < 0, 0 or > 0. */
static int compare_records (MtVal a, MtVal b)
{
   MtRecordIter i = mt_record_iter (a), j = mt_record_iter (b);
   MtRecordField x, y;
   for (;;) {
      bool more_a = mt_record_next (&i, &x), more_b = mt_record_next (&j, &y);
      if (!more_a || !more_b)
         return more_a - more_b;
      bool null = mt_is_nullish (x.value) || mt_is_nullish (y.value);
      int c = null ? mt_is_nullish (x.value) - mt_is_nullish (y.value)
                   : mt_datum_compare (x.type, x.value, y.value);
      if (c)
         return c;
   }
}

int mt_datum_compare (MtTypeId t, MtVal a, MtVal b)
{
   if (mt_type_is_array (t))
      return compare_arrays (mt_type_element (t), a, b);
   if (mt_type_is_enum (t))
      return mt_enum_compare (t, mt_v_text (a), mt_v_text (b));
   switch (t) {
   case MT_T_BOOL:
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8:
   case MT_T_DATE:
   case MT_T_TIME:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE: return cmp64 (a.i, b.i);
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return mt_moment_compare (mt_v_moment (a), mt_v_moment (b));
   case MT_T_FLOAT4:
   case MT_T_FLOAT8:
      if (a.type != MT_DOUBLE ||
          b.type != MT_DOUBLE) /* other writers may have stored such elements */
         break;
      return cmp_double (a.d, b.d);
   case MT_T_NUMERIC:
      if (a.type != MT_DECIMAL || b.type != MT_DECIMAL)
         break;
      return mt_num_compare (mt_num_load (a.p), mt_num_load (b.p));
   case MT_T_INTERVAL: return mt_interval_compare (mt_v_to_interval (a), mt_v_to_interval (b));
   case MT_T_UNKNOWN:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_UUID:
   case MT_T_BYTEA: return cmp_bytes (a, b);
   case MT_T_OBJECTID: return memcmp (a.p, b.p, 12);
   case MT_T_JSONB: return mt_jsonb_compare (a, b);
   case MT_T_RECORD: return compare_records (a, b);
   case MT_T_DOCUMENT:
   case MT_T_JSON:
   case MT_ANY_STATE:
   case MT_T_COUNT: break;
   }
   return mt_v_compare (a, b);
}

/* Computes a comparison operator. MT_USER (ev) is type * 8 + operator (MtCmp). */
static bool fn_cmp (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int order = mt_datum_compare ((MtTypeId) (MT_USER (ev) / 8), a[0], a[1]);
   *out = mt_v_bool (mt_cmp_holds ((MtCmp) (MT_USER (ev) % 8), order));
   return true;
}

static MtTypeId kind_of (MtVal v, MtTypeId given)
{
   if (given)
      return given;
   switch (v.type) {
   case MT_DOUBLE: return MT_T_FLOAT8;
   case MT_DECIMAL: return MT_T_NUMERIC;
   case MT_BINARY: return MT_T_BYTEA;
   case MT_DATE: return MT_T_TIMESTAMP;
   default: return MT_T_DOCUMENT;
   }
}

/* Computes IS DISTINCT FROM. MT_USER (ev) is the type by whose rules the values are compared; 0:
 * that of their BSON types. */
static bool fn_distinct (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   bool x = mt_is_nullish (a[0]), y = mt_is_nullish (a[1]);
   if (x || y)
      *out = mt_v_bool (x != y);
   else
      *out = mt_v_bool (
         MT_USER (ev) || a[0].type == MT_DATE
            ? mt_datum_compare (kind_of (a[0], (MtTypeId) MT_USER (ev)), a[0], a[1]) != 0
            : mt_v_compare (a[0], a[1]) != 0);
   return true;
}

/* Computes GREATEST, or LEAST if bit 0 of MT_USER (ev) is set. The other bits are the SQL type, if
 * the BSON type does not determine it; else 0. */
static bool fn_extreme (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtVal best = mt_v_null ();
   for (int i = 0; i < n; i++) {
      if (mt_is_nullish (a[i]))
         continue;
      int c = mt_is_nullish (best)
                 ? 0
                 : mt_datum_compare (kind_of (a[i], (MtTypeId) (MT_USER (ev) / 2)), a[i], best);
      if (mt_is_nullish (best) || (MT_USER (ev) & 1 ? c < 0 : c > 0))
         best = a[i];
   }
   *out = best;
   return true;
}

#define FLAGS (MT_F_OPERATOR | MT_NN)
/* The row of a comparison operator in the table of functions. Its template, mql_, only says that
 * servers can compute it: the emitter writes comparisons itself, with the conditions that NULL and
 * NaN need. */
#define CMP(sign, op_, A, B, type, t, mql_, example_) \
   {.name = sign, \
    .signature = A ", " B " -> bool", \
    .flags = FLAGS, \
    .cmp = MT_CMP_##op_, \
    .mql = mql_, \
    .op = MT_OPN (t, cmp, (type) * 8 + MT_CMP_##op_), \
    .summary = "comparison", \
    .example = example_}
#define SAME(sign, A, B, v, result) "SELECT " v "::" A " " sign " " v "::" B " => " result
#define EQUALITY(A, B, type, t, v) \
   CMP ("=", EQ, A, B, type, "eq_" t, "{\"$eq\": [\"$1\", \"$2\"]}", SAME ("=", A, B, v, "t")), \
      CMP ("<>", NE, A, B, type, "ne_" t, "{\"$ne\": [\"$1\", \"$2\"]}", \
           SAME ("<>", A, B, v, "f"))
#define ORDER(A, B, type, t, v) \
   CMP ("<", LT, A, B, type, "lt_" t, "{\"$lt\": [\"$1\", \"$2\"]}", SAME ("<", A, B, v, "f")), \
      CMP ("<=", LE, A, B, type, "le_" t, "{\"$lte\": [\"$1\", \"$2\"]}", \
           SAME ("<=", A, B, v, "t")), \
      CMP (">", GT, A, B, type, "gt_" t, "{\"$gt\": [\"$1\", \"$2\"]}", SAME (">", A, B, v, "f")), \
      CMP (">=", GE, A, B, type, "ge_" t, "{\"$gte\": [\"$1\", \"$2\"]}", \
           SAME (">=", A, B, v, "t"))
#define LOCAL_ORDER(A, type, t, v) \
   CMP ("<", LT, A, A, type, "lt_" t, NULL, SAME ("<", A, A, v, "f")), \
      CMP ("<=", LE, A, A, type, "le_" t, NULL, SAME ("<=", A, A, v, "t")), \
      CMP (">", GT, A, A, type, "gt_" t, NULL, SAME (">", A, A, v, "f")), \
      CMP (">=", GE, A, A, type, "ge_" t, NULL, SAME (">=", A, A, v, "t"))
#define ALL(A, type, t, v) EQUALITY (A, A, type, t, v), ORDER (A, A, type, t, v)

#define NS (MT_F_NOT_STRICT)
#define ANYS "anyelement -> anyelement"

const MtFunc mt_fn_compare[] = {
   ALL ("bool", MT_T_BOOL, "bool", "true"),
   ALL ("int2", MT_T_INT2, "int2", "1"),
   ALL ("int4", MT_T_INT4, "int4", "1"),
   ALL ("int8", MT_T_INT8, "int8", "1"),
   ALL ("oid", MT_T_OID, "oid", "1"),
   ALL ("float4", MT_T_FLOAT4, "float4", "1.5"),
   ALL ("float8", MT_T_FLOAT8, "float8", "1.5"),
   EQUALITY ("float4", "float8", MT_T_FLOAT8, "float8", "1.5"),
   ORDER ("float4", "float8", MT_T_FLOAT8, "float8", "1.5"),
   EQUALITY ("float8", "float4", MT_T_FLOAT8, "float8", "1.5"),
   ORDER ("float8", "float4", MT_T_FLOAT8, "float8", "1.5"),
   ALL ("numeric", MT_T_NUMERIC, "numeric", "1.5"),
   ALL ("text", MT_T_TEXT, "text", "'a'"),
   ALL ("date", MT_T_DATE, "date", "'2020-01-01'"),
   ALL ("time", MT_T_TIME, "time", "'10:00'"),
   ALL ("timestamp", MT_T_TIMESTAMP, "timestamp", "'2020-01-01'"),
   ALL ("timestamptz", MT_T_TIMESTAMPTZ, "timestamptz", "'2020-01-01'"),
   ALL ("uuid", MT_T_UUID, "uuid", "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'"),
   ALL ("objectid", MT_T_OBJECTID, "objectid", "'507f1f77bcf86cd799439011'"),
   EQUALITY ("bytea", "bytea", MT_T_BYTEA, "bytea", "'x'"),
   LOCAL_ORDER ("bytea", MT_T_BYTEA, "bytea", "'x'"),
   CMP ("=", EQ, "interval", "interval", MT_T_INTERVAL, "eq_interval", NULL,
        "SELECT interval '1 day' = interval '24 hours' => t"),
   CMP ("<>", NE, "interval", "interval", MT_T_INTERVAL, "ne_interval", NULL,
        "SELECT interval '1 day' <> interval '24 hours' => f"),
   LOCAL_ORDER ("interval", MT_T_INTERVAL, "interval", "'1 day'"),
   CMP ("=", EQ, "jsonb", "jsonb", MT_T_JSONB, "eq_jsonb", NULL,
        "SELECT jsonb '{\"a\": 1, \"b\": 2}' = '{\"b\": 2, \"a\": 1.0}' => t"),
   CMP ("<>", NE, "jsonb", "jsonb", MT_T_JSONB, "ne_jsonb", NULL,
        "SELECT jsonb '1' <> '\"1\"' => t"),
   LOCAL_ORDER ("jsonb", MT_T_JSONB, "jsonb", "'1'"),
   CMP ("=", EQ, "record", "record", MT_T_RECORD, "eq_record", NULL,
        "SELECT r = ROW(1, 'a') FROM (SELECT ROW(1, 'a') AS r) AS s => t"),
   CMP ("<>", NE, "record", "record", MT_T_RECORD, "ne_record", NULL,
        "SELECT r <> ROW(1, 'a') FROM (SELECT ROW(1, 'a') AS r) AS s => f"),
   CMP ("<", LT, "record", "record", MT_T_RECORD, "lt_record", NULL,
        "SELECT r < ROW(1, 'b') FROM (SELECT ROW(1, 'a') AS r) AS s => t"),
   CMP ("<=", LE, "record", "record", MT_T_RECORD, "le_record", NULL,
        "SELECT r <= ROW(1, 'a') FROM (SELECT ROW(1, 'a') AS r) AS s => t"),
   CMP (">", GT, "record", "record", MT_T_RECORD, "gt_record", NULL,
        "SELECT r > ROW(1, 'b') FROM (SELECT ROW(1, 'a') AS r) AS s => f"),
   CMP (">=", GE, "record", "record", MT_T_RECORD, "ge_record", NULL,
        "SELECT r >= ROW(1, 'a') FROM (SELECT ROW(1, 'a') AS r) AS s => t"),
   EQUALITY ("document", "document", MT_T_DOCUMENT, "document", "'1'"),
   CMP ("=", EQ, "anyarray", "anyarray", MT_T_DOCUMENT, "eq_array", "{\"$eq\": [\"$1\", \"$2\"]}",
        "SELECT ARRAY[1, NULL] = ARRAY[1, NULL] => t"),
   CMP ("<>", NE, "anyarray", "anyarray", MT_T_DOCUMENT, "ne_array", "{\"$ne\": [\"$1\", \"$2\"]}",
        "SELECT ARRAY[1] <> ARRAY[1, 2] => t"),
   MT_ROW ("$distinct", "anyelement, anyelement -> bool", NS | MT_NN, "{\"$ne\": [\"$1\", \"$2\"]}",
           MT_OPN ("distinct", distinct, 0), "IS DISTINCT FROM",
           "SELECT 1 IS DISTINCT FROM NULL => t"),
   MT_ROW ("$distinct_interval", "interval, interval -> bool", NS | MT_NN, NULL,
           MT_OPN ("distinct_interval", distinct, MT_T_INTERVAL), "IS DISTINCT FROM",
           "SELECT interval '1 day' IS DISTINCT FROM interval '24 hours' => f"),
   MT_ROW ("$distinct_jsonb", "jsonb, jsonb -> bool", NS | MT_NN, NULL,
           MT_OPN ("distinct_jsonb", distinct, MT_T_JSONB), "IS DISTINCT FROM",
           "SELECT jsonb '1' IS DISTINCT FROM '1.0' => f"),
   MT_ROW ("$distinct_record", "record, record -> bool", NS | MT_NN, NULL,
           MT_OPN ("distinct_record", distinct, MT_T_RECORD), "IS DISTINCT FROM",
           "SELECT r IS DISTINCT FROM NULL FROM (SELECT ROW(1, 2) AS r) AS s => t"),
   MT_ROW ("$greatest", ANYS, NS | MT_F_VARIADIC, "{\"$max\": [\"$*\"]}",
           MT_OPN ("greatest", extreme, 0), "largest argument that is not NULL",
           "SELECT greatest(1, NULL, 3) => 3"),
   MT_ROW ("$greatest_number", ANYS, NS | MT_F_VARIADIC, NULL, MT_OPN ("greatest", extreme, 0),
           "largest argument that is not NULL", "SELECT greatest(1.5, NULL, 3) => 3"),
   MT_ROW ("$greatest_interval", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("greatest_interval", extreme, 2 * MT_T_INTERVAL),
           "largest argument that is not NULL",
           "SELECT greatest(interval '1 h', '1 min') => 01:00:00"),
   MT_ROW ("$greatest_jsonb", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("greatest_jsonb", extreme, 2 * MT_T_JSONB), "largest argument that is not NULL",
           "SELECT greatest(jsonb '[]', '{}') => {}"),
   MT_ROW ("$greatest_record", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("greatest_record", extreme, 2 * MT_T_RECORD),
           "largest argument that is not NULL", "SELECT greatest(ROW(1, 2), ROW(1, 3)) => (1,3)"),
   MT_ROW ("$least", ANYS, NS | MT_F_VARIADIC, "{\"$min\": [\"$*\"]}", MT_OPN ("least", extreme, 1),
           "smallest argument that is not NULL", "SELECT least(3, NULL, 2) => 2"),
   MT_ROW ("$least_number", ANYS, NS | MT_F_VARIADIC, NULL, MT_OPN ("least", extreme, 1),
           "smallest argument that is not NULL", "SELECT least(1.5, NULL, 3) => 1.5"),
   MT_ROW ("$least_interval", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("least_interval", extreme, 2 * MT_T_INTERVAL + 1),
           "smallest argument that is not NULL",
           "SELECT least(interval '1 h', '1 min') => 00:01:00"),
   MT_ROW ("$least_jsonb", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("least_jsonb", extreme, 2 * MT_T_JSONB + 1),
           "smallest argument that is not NULL", "SELECT least(jsonb '1', 'null') => null"),
   MT_ROW ("$least_record", ANYS, NS | MT_F_VARIADIC, NULL,
           MT_OPN ("least_record", extreme, 2 * MT_T_RECORD + 1),
           "smallest argument that is not NULL", "SELECT least(ROW(1, 2), ROW(1, 3)) => (1,2)"),
   {.name = NULL},
};
