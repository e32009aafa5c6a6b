/* jsonb: the canonical form of values, comparison, and printing. */
#include "types/jsonb.h"

#include "base/limits.h"
#include "types/numeric.h"

#include <stdlib.h>
#include <string.h>

/* ---- canonical form ---- */

static int key_order (MtStr a, MtStr b)
{
   if (a.n != b.n)
      return a.n < b.n ? -1 : 1;
   return a.n ? memcmp (a.p, b.p, a.n) : 0;
}

static int member_order (const void *a, const void *b)
{
   const MtJsonMember *m = a, *n = b;
   int c = key_order (m->key, n->key);
   if (c)
      return c;
   return m->order < n->order ? -1 : 1;
}

static int place_order (const void *a, const void *b)
{
   const MtJsonMember *x = a, *y = b;
   return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts members by key; of equal keys only the last is kept. Returns how many members are left. */
static size_t sort_members (MtJsonMember *m, size_t n)
{
   size_t k = 0;
   for (size_t i = 0; i < n; i++)
      m[i].order = i;
   if (n > 1)
      qsort (m, n, sizeof *m, member_order);
   for (size_t i = 0; i < n; i++)
      if (i + 1 == n || key_order (m[i].key, m[i + 1].key) != 0)
         m[k++] = m[i];
   return k;
}

static bool make_object (MtArena *a, const MtJsonMember *m, size_t n, MtVal *out, MtError *err)
{
   MtStr *keys = MT_TRY_NEW_N (a, MtStr, n + 1);
   MtVal *vals = MT_TRY_NEW_N (a, MtVal, n + 1);
   if (!keys || !vals)
      return mt_memory_check (err);
   for (size_t i = 0; i < n; i++) {
      keys[i] = m[i].key;
      vals[i] = mt_jsonb_to_element (m[i].value);
   }
   return mt_v_make_doc (a, keys, vals, n, out, err);
}

bool mt_jsonb_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err)
{
   return make_object (a, m, sort_members (m, n), out, err);
}

bool mt_document_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err)
{
   size_t kept = sort_members (m, n);
   if (kept > 1)
      qsort (m, kept, sizeof *m, place_order);
   return make_object (a, m, kept, out, err);
}

static bool is_container (MtVal v) { return v.type == MT_DOC || v.type == MT_ARRAY; }

/* Returns whether a value is a scalar in JSON. A double that is infinite or NaN is not. */
static bool is_scalar (MtVal v)
{
   switch (v.type) {
   case MT_NULL:
   case MT_STRING:
   case MT_BOOL:
   case MT_INT32:
   case MT_INT64: return true;
   case MT_DOUBLE: return v.d - v.d == 0;
   case MT_DECIMAL: return !mt_num_is_nan (mt_num_load (v.p)) && !mt_num_is_inf (mt_num_load (v.p));
   default: /* a type byte, not an enum */ return false;
   }
}

/* Returns whether a value has jsonb's canonical form. The recursion is limited, because engines and
 * the parser limit documents to MT_MAX_BSON_DEPTH, and functions add at most one level. */
static bool is_canonical (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key, last = {NULL, 0};
   MtVal e;
   if (!is_container (v))
      return is_scalar (v);
   for (bool first = true; mt_doc_next (&it, &key, &e); first = false) {
      if (v.type == MT_DOC && !first && key_order (last, key) >= 0)
         return false;
      if (!is_canonical (e))
         return false;
      last = key;
   }
   return true;
}

static bool canonical (MtArena *a, MtVal v, MtVal *out, MtError *err);

static bool canonical_container (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   size_t n = mt_doc_count (v), i = 0;
   MtJsonMember *m = MT_TRY_NEW_N (a, MtJsonMember, n + 1);
   MtVal *vals = MT_TRY_NEW_N (a, MtVal, n + 1);
   MtDocIter it = mt_doc_iter (v);
   if (!m || !vals)
      return mt_memory_check (err);
   for (; i < n && mt_doc_next (&it, &m[i].key, &m[i].value); i++) {
      if (!canonical (a, m[i].value, &vals[i], err))
         return false;
      m[i].value = vals[i];
   }
   return v.type == MT_DOC ? mt_jsonb_object (a, m, i, out, err)
                           : mt_v_make_array (a, vals, i, out, err);
}

/* Sets *out to the canonical form of v. Values of BSON types that JSON lacks become extended
 * JSON. */
static bool canonical (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   MtBuf b = {0};
   *out = v;
   if (is_canonical (v))
      return true;
   if (is_container (v))
      return canonical_container (a, v, out, err);
   mt_v_to_json (v, false, &b);
   bool ok = mt_json_parse (a, (MtStr) {b.p, b.n}, out, err);
   *out = mt_jsonb_to_element (*out);
   mt_buf_free (&b);
   return ok;
}

bool mt_jsonb_canonical (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   *out = v;
   return mt_is_nullish (v) || v.type == MT_MAXKEY || canonical (a, v, out, err);
}

/* ---- order ---- */

enum { RANK_NULL, RANK_STRING, RANK_NUMBER, RANK_BOOL, RANK_ARRAY, RANK_OBJECT };

static int rank (MtVal v)
{
   switch (v.type) {
   case MT_STRING: return RANK_STRING;
   case MT_BOOL: return RANK_BOOL;
   case MT_ARRAY: return RANK_ARRAY;
   case MT_DOC: return RANK_OBJECT;
   default: return mt_is_number (v) ? RANK_NUMBER : RANK_NULL; /* v.type is a number, not an enum */
   }
}

static int sign_of (size_t x, size_t y) { return x < y ? -1 : x > y; }

static int bytes_order (MtStr x, MtStr y)
{
   size_t n = x.n < y.n ? x.n : y.n;
   int c = n ? memcmp (x.p, y.p, n) : 0;
   return c ? c : sign_of (x.n, y.n);
}

static MtStr text_of (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }

static int compare (MtVal x, MtVal y);

/* Compares two objects or two arrays. The one with fewer elements is less; otherwise their elements
 * are compared. */
static int compare_containers (MtVal x, MtVal y)
{
   int c = sign_of (mt_doc_count (x), mt_doc_count (y));
   MtDocIter i = mt_doc_iter (x), j = mt_doc_iter (y);
   MtStr k, l;
   MtVal v, w;
   while (c == 0 && mt_doc_next (&i, &k, &v) && mt_doc_next (&j, &l, &w)) {
      c = x.type == MT_DOC ? bytes_order (k, l) : 0;
      c = c ? c : compare (v, w);
   }
   return c;
}

static int compare (MtVal x, MtVal y)
{
   int r = rank (x), s = rank (y);
   if (r != s)
      return r < s ? -1 : 1;
   switch (r) {
   case RANK_STRING: return bytes_order (text_of (x), text_of (y));
   case RANK_NUMBER: return mt_v_compare_numbers (x, y);
   case RANK_BOOL: return (x.i > y.i) - (x.i < y.i);
   case RANK_ARRAY:
   case RANK_OBJECT: return compare_containers (x, y);
   default: return 0; /* both null */
   }
}

static bool is_empty_array (MtVal v) { return v.type == MT_ARRAY && mt_doc_count (v) == 0; }

static int compare_values (MtVal x, MtVal y)
{
   bool ex = is_empty_array (x), ey = is_empty_array (y);
   if (ex != ey)
      return ex ? -1 : 1;
   return compare (x, y);
}

int mt_jsonb_compare (MtVal x, MtVal y)
{
   MtVal cx = x, cy = y;
   if (is_canonical (mt_jsonb_to_element (x)) && is_canonical (mt_jsonb_to_element (y)))
      return compare_values (x, y);
   MtArena *a = mt_arena_new ("jsonb", NULL);
   int c = mt_jsonb_canonical (a, x, &cx, NULL) && mt_jsonb_canonical (a, y, &cy, NULL)
              ? compare_values (cx, cy)
              : mt_v_compare (x, y);
   mt_arena_free (a);
   return c;
}

#define RANK_EMPTY (-1)

static bool key_of (MtArena *a, MtVal v, MtVal *out, MtError *err);

/* Makes the sort key {r: rank, n: count, k: key, v: …, …} of an object or array. MongoDB compares
 * such documents field by field. Those with equal rank and count have the same field names. */
static bool container_key (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   size_t n = mt_doc_count (v), k = 2;
   MtStr *names = MT_TRY_NEW_N (a, MtStr, 2 * n + 2), key;
   MtVal *vals = MT_TRY_NEW_N (a, MtVal, 2 * n + 2), e;
   MtDocIter it = mt_doc_iter (v);
   if (!names || !vals)
      return mt_memory_check (err);
   names[0] = MT_STR ("r");
   vals[0] = mt_v_int32 (rank (v));
   names[1] = MT_STR ("n");
   vals[1] = mt_v_int64 ((int64_t) n);
   while (mt_doc_next (&it, &key, &e)) {
      if (v.type == MT_DOC) {
         names[k] = MT_STR ("k");
         vals[k++] = mt_v_str (key.p, key.n);
      }
      names[k] = MT_STR ("v");
      if (!key_of (a, e, &vals[k++], err))
         return false;
   }
   return mt_v_make_doc (a, names, vals, k, out, err);
}

static bool key_of (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   if (is_container (v))
      return container_key (a, v, out, err);
   MtStr names[2] = {MT_STR ("r"), MT_STR ("v")};
   MtVal vals[2] = {mt_v_int32 (rank (v)), v};
   return mt_v_make_doc (a, names, vals, rank (v) == RANK_NULL ? 1 : 2, out, err);
}

bool mt_jsonb_key (MtArena *a, MtVal v, MtVal *out, MtError *err)
{
   MtStr name = MT_STR ("r");
   MtVal low = mt_v_int32 (RANK_EMPTY), plain;
   *out = mt_v_null ();
   if (mt_is_nullish (v))
      return true;
   if (is_empty_array (v))
      return mt_v_make_doc (a, &name, &low, 1, out, err);
   return mt_jsonb_canonical (a, v, &plain, err) && key_of (a, plain, out, err);
}

const char *mt_jsonb_type (MtVal v)
{
   static const char *const names[] = {"null", "string", "number", "boolean", "array", "object"};
   bool foreign = !is_container (v) && v.type != MT_MAXKEY &&
                  !is_scalar (v); /* other BSON types stand for an object of extended JSON */
   return names[foreign ? RANK_OBJECT : rank (v)];
}

/* ---- text ---- */

static void print_scalar (MtVal v, MtBuf *out)
{
   MtNum n;
   MtBuf text = {0};
   switch (v.type) {
   case MT_STRING: mt_json_string (out, (const char *) v.p, v.len); break;
   case MT_BOOL: mt_buf_adds (out, v.i ? "true" : "false"); break;
   case MT_NULL:
   case MT_MISSING:
   case MT_MAXKEY: mt_buf_adds (out, "null"); break;
   case MT_INT32:
   case MT_INT64: mt_buf_printf (out, "%lld", (long long) v.i); break;
   case MT_DOUBLE: /* jsonb prints numbers as numerics, without exponents */
      mt_double_out (v.d, &text);
      if (memchr (text.p, 'e', text.n) && mt_num_in (text.p, text.n, &n, NULL))
         mt_num_out (n, out);
      else
         mt_buf_add (out, text.p, text.n);
      mt_buf_free (&text);
      break;
   case MT_DECIMAL: mt_num_out (mt_num_load (v.p), out); break;
   }
}

static void print (MtVal v, MtBuf *out)
{
   if (!is_container (v)) {
      if (is_scalar (v) || v.type == MT_MAXKEY || v.type == MT_MISSING)
         print_scalar (v, out);
      else
         mt_v_to_json (v, false, out);
      return;
   }
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal child;
   bool first = true;
   mt_buf_addc (out, v.type == MT_DOC ? '{' : '[');
   while (mt_doc_next (&it, &key, &child)) {
      if (!first)
         mt_buf_adds (out, ", ");
      first = false;
      if (v.type == MT_DOC) {
         mt_json_string (out, key.p, key.n);
         mt_buf_adds (out, ": ");
      }
      print (child, out);
   }
   mt_buf_addc (out, v.type == MT_DOC ? '}' : ']');
}

void mt_document_print (MtVal v, MtBuf *out) { print (v, out); }

void mt_jsonb_print (MtVal v, MtBuf *out)
{
   if (mt_is_nullish (v) || v.type == MT_MAXKEY || is_canonical (v)) {
      print (v, out);
      return;
   }
   MtArena *a = mt_arena_new ("jsonb", NULL);
   print (mt_jsonb_canonical (a, v, &v, NULL) ? v : mt_v_null (), out);
   mt_arena_free (a);
}

static void line (MtBuf *out, int level)
{
   mt_buf_addc (out, '\n');
   for (int i = 0; i < level; i++)
      mt_buf_adds (out, "    ");
}

static void pretty (MtVal v, MtBuf *out, int level)
{
   if (!is_container (v)) {
      print (v, out);
      return;
   }
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal child;
   mt_buf_addc (out, v.type == MT_DOC ? '{' : '[');
   for (bool first = true; mt_doc_next (&it, &key, &child); first = false) {
      if (!first)
         mt_buf_addc (out, ',');
      line (out, level + 1);
      if (v.type == MT_DOC) {
         mt_json_string (out, key.p, key.n);
         mt_buf_adds (out, ": ");
      }
      pretty (child, out, level + 1);
   }
   line (out, level);
   mt_buf_addc (out, v.type == MT_DOC ? '}' : ']');
}

void mt_jsonb_pretty (MtVal v, MtBuf *out) { pretty (v, out, 0); }
