#include "types/binary.h"
#include "types/datum_int.h"
#include "types/datetime.h"
#include "types/enum.h"

#include <string.h>

static const MtTypeInfo infos[MT_T_COUNT] = {
#define X(id, name, display, category, preferred, oid, array_oid) \
   [MT_T_##id] = {name, display, category, preferred, oid},
   MT_TYPES (X)
#undef X
};

static const MtTypeInfo arrays[MT_T_COUNT] = {
#define X(id, name, display, category, preferred, oid, array_oid) \
   [MT_T_##id] = {"_" name, display "[]", 'A', false, array_oid},
   MT_TYPES (X)
#undef X
};

const MtTypeInfo *mt_type_info (MtTypeId id)
{
   MtTypeId element = mt_type_element (id);
   bool array = mt_type_is_array (id);
   if (mt_type_is_enum (element))
      return array ? &mt_enum_of (id)->array : &mt_enum_of (id)->info;
   return array ? &arrays[element] : &infos[element];
}

const char *mt_type_handle (MtTypeId id)
{
   if (!mt_type_is_enum (mt_type_element (id)))
      return mt_type_info (id)->name;
   return mt_type_is_array (id) ? mt_enum_of (id)->array_handle : mt_enum_of (id)->handle;
}

static const struct {
   const char *name;
   MtTypeId id;
} aliases[] = {
   {"int", MT_T_INT4},
   {"float", MT_T_FLOAT8},
   {"decimal", MT_T_NUMERIC},
   {"dec", MT_T_NUMERIC},
   {"time", MT_T_TIME},
   {"timestamp with time zone", MT_T_TIMESTAMPTZ},
   {"timestamp", MT_T_TIMESTAMP},
   {"double", MT_T_FLOAT8},
   {"bson", MT_T_DOCUMENT},
   {"name", MT_T_TEXT}, /* the type "name" of columns of PostgreSQL's catalog */
};

/* Returns whether s is the name of a type; upper and lower case are equal. Tests the first letter
 * before it calls a function, because the program looks up the types of all functions when it
 * starts. */
static bool may_be (MtStr s, const char *name)
{
   return (s.p[0] | 0x20) == (name[0] | 0x20) && mt_str_is_nocase (s, name);
}

static bool scalar_by_name (MtStr name, MtTypeId *out)
{
   for (int i = 0; name.n && i < MT_T_COUNT; i++)
      if (may_be (name, infos[i].name) || may_be (name, infos[i].display)) {
         *out = (MtTypeId) i;
         return true;
      }
   for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
      if (mt_str_is_nocase (name, aliases[i].name)) {
         *out = aliases[i].id;
         return true;
      }
   return false;
}

bool mt_type_by_name (MtStr name, MtTypeId *out)
{
   MtStr element = name;
   bool underscore = name.n > 1 && name.p[0] == '_';
   if (underscore)
      element = (MtStr) {name.p + 1, name.n - 1};
   else
      while (element.n > 2 && element.p[element.n - 1] == ']' && element.p[element.n - 2] == '[')
         element.n -= 2;
   if (!scalar_by_name (element, out) && !mt_enum_by_handle (element, out))
      return false;
   if (element.n != name.n)
      *out = mt_type_array (*out);
   return true;
}

const char *mt_type_display (MtArena *a, MtType t)
{
   const char *d = mt_type_info (t.id)->display;
   if (mt_type_is_vector (t))
      return mt_type_element (t.id) == MT_T_INT2 ? "int2vector" : "oidvector";
   if (mt_type_is_catalog_text (t))
      return mt_type_is_catalog_char (t) ? "\"char\"" : "name";
   if (mt_type_is_array (t.id)) {
      t.id = mt_type_element (t.id);
      if (mt_type_is_catalog_text (t))
         return mt_type_is_catalog_char (t) ? "\"char\"[]" : "name[]";
      return t.mod1 < 0 || t.id == MT_T_RECORD ? d : mt_printf (a, "%s[]", mt_type_display (a, t));
   }
   if (t.mod1 < 0 || t.id == MT_T_RECORD)
      return d;
   if (t.id == MT_T_NUMERIC)
      return mt_printf (a, "numeric(%d,%d)", t.mod1, t.mod2 < 0 ? 0 : t.mod2);
   if (t.id == MT_T_TIMESTAMP || t.id == MT_T_TIMESTAMPTZ || t.id == MT_T_TIME) {
      /* the modifier is within the name, as in timestamp(3) with time zone */
      const char *space = strchr (d, ' ');
      return mt_printf (a, "%.*s(%d)%s", (int) (space - d), d, t.mod1, space);
   }
   return mt_printf (a, "%s(%d)", d, t.mod1);
}

bool mt_type_of_oid (int64_t oid, int32_t typmod, MtType *out)
{
   int i = 0;
   if (mt_type_of_catalog_oid (oid, out))
      return true;
   while (i < MT_T_COUNT && (!oid || (infos[i].oid != oid && arrays[i].oid != oid)))
      i++;
   if (i == MT_T_COUNT) {
      *out = mt_type (MT_T_UNKNOWN);
      return mt_enum_by_oid (oid, &out->id);
   }
   MtTypeId element = (MtTypeId) i;
   *out = mt_type (infos[i].oid == oid ? element : mt_type_array (element));
   if (element == MT_T_NUMERIC && typmod >= 4) {
      out->mod1 = (int16_t) ((typmod - 4) >> 16);
      out->mod2 = (int16_t) ((typmod - 4) & 0xffff);
   } else if (element != MT_T_NUMERIC && typmod >= 0) {
      out->mod1 = (int16_t) (element == MT_T_VARCHAR || element == MT_T_BPCHAR ? typmod - 4
                                                                               : typmod);
   }
   return true;
}

int32_t mt_type_typmod (MtType t)
{
   if (t.mod1 < 0 || mt_type_is_vector (t) || mt_type_is_catalog_text (t) ||
       mt_type_element (t.id) == MT_T_RECORD)
      return -1;
   t.id = mt_type_element (t.id);
   if (t.id == MT_T_NUMERIC)
      return ((int32_t) t.mod1 << 16) + (t.mod2 < 0 ? 0 : t.mod2) + 4;
   return t.id == MT_T_VARCHAR || t.id == MT_T_BPCHAR ? t.mod1 + 4 : t.mod1;
}

MtStr mt_datum_trim (MtStr s) { return mt_str_trim (s, " \t\n\r\v\f"); }

bool mt_datum_syntax (MtError *err, MtTypeId t, MtStr text)
{
   return mt_error (err, MT_E_TEXT_REPRESENTATION, "invalid input syntax for type %s: \"%.*s\"",
                    mt_type_info (t)->display, (int) text.n, text.p);
}

MtVal mt_v_from_moment (MtMoment t)
{
   return (MtVal) {.type = MT_DATE, .len = (uint32_t) t.us, .i = t.ms};
}

MtMoment mt_v_moment (MtVal v) { return (MtMoment) {v.i, v.type == MT_DATE ? (int) v.len : 0}; }

MtVal mt_v_from_days (int32_t days)
{
   if (days == MT_DATE_INFINITY)
      return mt_v_date (MT_TS_INFINITY);
   if (days == MT_DATE_MINUS_INFINITY)
      return mt_v_date (MT_TS_MINUS_INFINITY);
   return mt_v_date ((int64_t) days * MT_DAY_MS);
}

int32_t mt_v_days (MtVal date)
{
   if (date.i == MT_TS_INFINITY)
      return MT_DATE_INFINITY;
   if (date.i == MT_TS_MINUS_INFINITY)
      return MT_DATE_MINUS_INFINITY;
   return (int32_t) mt_floor_div (date.i, MT_DAY_MS);
}

MtVal mt_v_interval (MtArena *a, MtInterval iv)
{
   /* Writes the BSON document {m: int32, d: int32, us: int64} byte by byte. Its size is 4 + (1+2+4)
    * + (1+2+4) + (1+3+8) + 1. */
   uint8_t *p = mt_alloc (a, 32), *q = p;
   uint32_t size = 31;
   memcpy (q, &size, 4);
   memcpy (q + 4, "\x10m\0", 3);
   memcpy (q + 7, &iv.months, 4);
   memcpy (q + 11,
           "\x10"
           "d\0",
           3);
   memcpy (q + 14, &iv.days, 4);
   memcpy (q + 18, "\x12us\0", 4);
   memcpy (q + 22, &iv.us, 8);
   q[30] = 0;
   return (MtVal) {.type = MT_DOC, .len = size, .p = p};
}

static int64_t as_int64 (MtVal v)
{
   int64_t i = 0;
   MtVal n;
   if (v.type == MT_INT32 || v.type == MT_INT64)
      return v.i;
   if (mt_is_number (v) && mt_value_normalize (NULL, mt_type (MT_T_INT8), v, &n, NULL))
      i = n.i;
   return i;
}

MtInterval mt_v_to_interval (MtVal v)
{
   return (MtInterval) {.months = (int32_t) as_int64 (mt_doc_field (v, "m")),
                        .days = (int32_t) as_int64 (mt_doc_field (v, "d")),
                        .us = as_int64 (mt_doc_field (v, "us"))};
}

/* ---- values stored with another BSON type ---- */

static bool whole (MtVal v, int64_t *out)
{
   if (v.type == MT_INT32 || v.type == MT_INT64) {
      *out = v.i;
      return true;
   }
   if (v.type == MT_DOUBLE) {
      if (!(v.d >= -9223372036854775808.0 && v.d < 9223372036854775808.0) ||
          v.d != (double) (int64_t) v.d)
         return false;
      *out = (int64_t) v.d;
      return true;
   }
   return false;
}

static bool normalize_int (MtTypeId t, MtVal v, MtVal *out)
{
   int64_t i;
   if (!whole (v, &i)) {
      MtNum n;
      if (v.type != MT_DECIMAL)
         return false;
      n = mt_num_load (v.p);
      if (mt_num_compare (n, mt_num_trunc (n, 0)) || !mt_num_to_int64 (n, &i, NULL))
         return false;
   }
   if (t == MT_T_INT8) {
      *out = mt_v_int64 (i);
      return true;
   }
   int64_t max = t == MT_T_INT2 ? INT16_MAX : INT32_MAX;
   if (i > max || i < -max - 1)
      return false;
   *out = mt_v_int32 ((int32_t) i);
   return true;
}

static bool normalize_float (MtVal v, MtVal *out)
{
   if (v.type == MT_DOUBLE)
      *out = v;
   else if (v.type == MT_INT32 || v.type == MT_INT64)
      *out = mt_v_double ((double) v.i);
   else if (v.type == MT_DECIMAL)
      *out = mt_v_double (mt_num_to_double (mt_num_load (v.p)));
   else
      return false;
   return true;
}

static bool normalize_numeric (MtArena *a, MtVal v, MtVal *out)
{
   MtNum n;
   if (!mt_num_from_val (v, &n))
      return false;
   *out = v.type == MT_DECIMAL ? v : mt_num_to_val (a, n);
   return true;
}

static bool normalize_interval (MtVal v, MtVal *out)
{
   if (v.type != MT_DOC)
      return false;
   MtVal m = mt_doc_field (v, "m"), d = mt_doc_field (v, "d"), us = mt_doc_field (v, "us");
   if (!mt_is_number (m) || !mt_is_number (d) || !mt_is_number (us))
      return false;
   *out = v;
   return true;
}

static bool keep (MtVal v, uint8_t type, MtVal *out)
{
   *out = v;
   return v.type == type;
}

static bool normalize (MtArena *a, MtType t, MtVal v, MtVal *out);

/* Converts the elements of an array to the BSON type of their SQL type. Without an arena, only
 * checks whether that is possible, and sets *out to v. */
static bool normalize_array (MtArena *a, MtType t, MtVal v, int depth, MtVal *out)
{
   if (v.type != MT_ARRAY || depth >= MT_MAX_ARRAY_DIMS)
      return false;
   MtType element = t;
   element.id = mt_type_element (t.id);
   size_t n = mt_doc_count (v), i = 0;
   MtVal *list = a ? MT_TRY_NEW_N (a, MtVal, n + 1) : NULL, e, own;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   if (a && !list)
      return false;
   for (; mt_doc_next (&it, &key, &e); i++) {
      bool nested = e.type == MT_ARRAY && !mt_type_holds_arrays (element.id);
      if (nested ? !normalize_array (a, t, e, depth + 1, &own) : !normalize (a, element, e, &own))
         return false;
      if (list)
         list[i] = own;
   }
   *out = v;
   return !list || mt_v_make_array (a, list, i, out, &(MtError) {0});
}

/* Returns whether a BSON date lies in PostgreSQL's range of dates or timestamps. */
static bool in_range (MtTypeId id, int64_t ms)
{
   return !mt_ts_is_finite (ms) ||
          (id == MT_T_DATE ? mt_date_in_range (mt_floor_div (ms, MT_DAY_MS)) : mt_ts_in_range (ms));
}

static bool normalize (MtArena *a, MtType t, MtVal v, MtVal *out)
{
   if (mt_is_nullish (v)) {
      *out = mt_v_null ();
      return true;
   }
   if (mt_type_is_array (t.id))
      return normalize_array (a, t, v, 0, out);
   switch (mt_type_form (t.id)) {
   case MT_T_BOOL: return keep (v, MT_BOOL, out);
   case MT_T_INT2:
   case MT_T_INT4:
   case MT_T_INT8: return normalize_int (t.id, v, out);
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return normalize_float (v, out);
   case MT_T_NUMERIC: return normalize_numeric (a, v, out);
   case MT_T_UNKNOWN:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_JSON: *out = v; return v.type == MT_STRING || v.type == MT_SYMBOL;
   case MT_T_BPCHAR:
      *out = v;
      while (out->len && out->p[out->len - 1] == ' ') /* other programs may have stored them */
         out->len--;
      return v.type == MT_STRING;
   case MT_T_DATE:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return keep (v, MT_DATE, out) && in_range (t.id, v.i);
   case MT_T_TIME: return normalize_int (MT_T_INT8, v, out);
   case MT_T_INTERVAL: return normalize_interval (v, out);
   case MT_T_UUID: *out = v; return v.type == MT_BINARY && v.len == 16;
   case MT_T_BYTEA: return keep (v, MT_BINARY, out);
   case MT_T_OBJECTID: return keep (v, MT_OID, out);
   case MT_T_JSONB:
   case MT_T_DOCUMENT: *out = v; return true;
   case MT_ANY_STATE:
   case MT_T_RECORD: return keep (v, MT_DOC, out);
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE:
      return normalize_int (MT_T_INT8, v, out) && out->i >= 0 && out->i <= UINT32_MAX;
   case MT_T_COUNT: break;
   }
   return false;
}

bool mt_value_normalize (MtArena *a, MtType t, MtVal v, MtVal *out, MtError *err)
{
   if (normalize (a, t, v, out))
      return true;
   if (err && v.type == MT_DATE && mt_type_is_datetime (t.id))
      mt_error (err, MT_E_DATETIME_RANGE, "%s out of range",
                t.id == MT_T_DATE ? "date" : "timestamp");
   else if (err)
      mt_error (err, MT_E_CORRUPT, "stored value of type %s is not a value of type %s",
                mt_v_type_name (v), mt_type_info (t.id)->display);
   return false;
}
