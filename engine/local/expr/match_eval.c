/* Tests whether rows, documents and blocks match a condition (a tree of MtMatch). */
#include "engine/local/expr/expr.h"
#include "engine/local/expr/match_int.h"
#include "engine/local/expr/regex.h"
#include "engine/local/expr/shape.h"

#include <math.h>

/* ---- types ---- */

/* The match language takes a missing value for null. */
static int bracket (MtVal v) { return mt_v_rank (mt_is_nullish (v) ? MT_NULL : v.type); }

bool mt_type_same_bracket (MtVal a, MtVal b) { return bracket (a) == bracket (b); }

/* ---- tests of one value ---- */

static int test_eq (const MtMatch *m, MtVal v, MtWork *w)
{
   return mt_type_same_bracket (m->value, v) && mt_x_compare (v, m->value) == 0;
}

static int test_eq_string (const MtMatch *m, MtVal v, MtWork *w)
{
   return v.type == MT_STRING && v.len == m->value.len && memcmp (v.p, m->value.p, v.len) == 0;
}

static int test_eq_null (const MtMatch *m, MtVal v, MtWork *w) { return mt_is_nullish (v); }

static int test_eq_int (const MtMatch *m, MtVal v, MtWork *w)
{
   if (v.type == MT_INT32 || v.type == MT_INT64)
      return v.i == m->value.i;
   return mt_is_number (v) && mt_v_compare_numbers (v, m->value) == 0;
}

static int order (const MtMatch *m, MtVal v, bool *can)
{
   MtVal c = m->value;
   *can = true;
   if (v.type == c.type && (v.type == MT_DATE || v.type == MT_INT32 || v.type == MT_INT64))
      return (v.i > c.i) - (v.i < c.i);
   bool open_end = c.type == MT_MINKEY || c.type == MT_MAXKEY;
   *can = (open_end && v.type != MT_MISSING) || mt_type_same_bracket (c, v);
   if (*can && (mt_v_is_nan (v) || mt_v_is_nan (c)))
      *can = mt_v_is_nan (v) && mt_v_is_nan (c);
   return *can ? mt_x_compare (v, c) : 0;
}

static int test_lt (const MtMatch *m, MtVal v, MtWork *w)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign < 0;
}

static int test_lte (const MtMatch *m, MtVal v, MtWork *w)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign <= 0;
}

static int test_gt (const MtMatch *m, MtVal v, MtWork *w)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign > 0;
}

static int test_gte (const MtMatch *m, MtVal v, MtWork *w)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign >= 0;
}

static int test_in (const MtMatch *m, MtVal v, MtWork *w)
{
   if (mt_is_nullish (v))
      return m->set_null;
   int yes;
   if (m->set_count == 1 && !m->set_regex_count && v.type == MT_STRING &&
       m->set[0].type == MT_STRING && !mt_x_order)
      return v.len == m->set[0].len && memcmp (v.p, m->set[0].p, v.len) == 0;
   for (uint32_t i = 0; i < m->set_regex_count; i++)
      if ((yes = m->set_regex[i]->test (m->set_regex[i], v, w)))
         return yes;
   if (!m->set_count)
      return false;
   uint32_t at = (uint32_t) mt_x_hash (v, 0) & m->set_mask;
   for (; m->set_index[at]; at = (at + 1) & m->set_mask) {
      MtVal c = m->set[m->set_index[at] - 1];
      if (mt_type_same_bracket (c, v) && mt_x_compare (c, v) == 0)
         return true;
   }
   return false;
}

void mt_match_index_set (MtArena *a, MtMatch *m)
{
   uint32_t size = 8;
   while (size < m->set_count * 2)
      size *= 2;
   m->set_mask = size - 1;
   m->set_index = MT_NEW_N (a, uint32_t, size);
   for (uint32_t i = 0; i < m->set_count; i++) {
      uint32_t at = (uint32_t) mt_x_hash (m->set[i], 0) & m->set_mask;
      while (m->set_index[at])
         at = (at + 1) & m->set_mask;
      m->set_index[at] = i + 1;
   }
}

static int test_exists (const MtMatch *m, MtVal v, MtWork *w) { return v.type != MT_MISSING; }

static int test_type (const MtMatch *m, MtVal v, MtWork *w)
{
   return v.type != MT_MISSING && (m->types[v.type / 32] >> (v.type % 32) & 1);
}

static int test_mod (const MtMatch *m, MtVal v, MtWork *w)
{
   int64_t n;
   if (v.type == MT_INT32 || v.type == MT_INT64)
      n = v.i;
   else if (v.type == MT_DOUBLE && v.d > -9.2e18 && v.d < 9.2e18)
      n = (int64_t) v.d;
   else
      return false;
   return m->mod == -1 ? m->rest == 0 : n % m->mod == m->rest % m->mod;
}

static int test_size (const MtMatch *m, MtVal v, MtWork *w)
{
   return v.type == MT_ARRAY && (int64_t) mt_doc_count (v) == m->rest;
}

/* Test a condition of $elemMatch: on the value at a path of v, from component number `from` on, or
 * on a document. They return 1 for a match, 0 for no match, or -1 with w->err set. */
static int match_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from, MtWork *w);
static int match_doc (const MtMatch *m, MtVal doc, MtWork *w);

static int test_elem (const MtMatch *m, MtVal v, MtWork *w)
{
   if (v.type != MT_ARRAY)
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   static const MtPath itself = {NULL, 0};
   while (mt_doc_next (&it, &key, &e)) {
      int yes = 0;
      if (m->kind == MT_M_ELEM_VALUE)
         yes = match_value (m->kids[0], e, &itself, 0, w);
      else if (e.type == MT_DOC)
         yes = match_doc (m->kids[0], e, w);
      if (yes)
         return yes;
   }
   return false;
}

/* ---- regular expressions ---- */

static int test_regex (const MtMatch *m, MtVal v, MtWork *w)
{
   if (v.type == MT_REGEX && m->value.type == MT_REGEX)
      return v.len == m->value.len && memcmp (v.p, m->value.p, v.len) == 0;
   if (v.type != MT_STRING && v.type != MT_SYMBOL)
      return false;
   MtPcre *p = &w->regexes[m->regex];
   bool found;
   if (!p->code && !mt_regex_new (p, "$regex", m->pattern, m->options, &w->err))
      return -1;
   MtStr text = v.len ? (MtStr) {(const char *) v.p, v.len} : MT_STR ("");
   return mt_regex_test (p, "$regex", text, &w->ev, &found) ? found : -1;
}

static MtMatchTest equality (MtVal c)
{
   switch (c.type) {
   case MT_STRING: return mt_x_order ? test_eq : test_eq_string;
   case MT_INT32:
   case MT_INT64: return test_eq_int;
   case MT_NULL:
   case MT_MISSING:
   case MT_UNDEFINED: return test_eq_null;
   default: return test_eq;
   }
}

MtMatchTest mt_match_test_of (MtMatchKind kind, MtVal constant)
{
   bool null = mt_is_nullish (constant);
   switch (kind) {
   case MT_M_EQ: return equality (constant);
   case MT_M_LT: return test_lt;
   case MT_M_LTE: return null ? test_eq_null : test_lte;
   case MT_M_GT: return test_gt;
   case MT_M_GTE: return null ? test_eq_null : test_gte;
   case MT_M_IN: return test_in;
   case MT_M_EXISTS: return test_exists;
   case MT_M_TYPE: return test_type;
   case MT_M_REGEX: return test_regex;
   case MT_M_MOD: return test_mod;
   case MT_M_SIZE: return test_size;
   case MT_M_BITS: return mt_match_bits_test;
   case MT_M_ELEM_OBJECT:
   case MT_M_ELEM_VALUE: return test_elem;
   case MT_M_AND:
   case MT_M_OR:
   case MT_M_NOR:
   case MT_M_TRUE:
   case MT_M_FALSE:
   case MT_M_EXPR: break;
   }
   return NULL;
}

/* ---- paths that lead through arrays ---- */

static int leaf_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from, MtWork *w);

static int leaf_end (const MtMatch *m, MtVal v, MtWork *w)
{
   int yes = m->test (m, v, w);
   if (yes)
      return yes;
   bool whole = m->kind == MT_M_SIZE || m->kind == MT_M_EXISTS || m->kind == MT_M_ELEM_OBJECT ||
                m->kind == MT_M_ELEM_VALUE;
   if (v.type != MT_ARRAY || whole)
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (!yes && mt_doc_next (&it, &key, &e))
      yes = m->test (m, e, w);
   return yes;
}

static int leaf_array (const MtMatch *m, MtVal array, const MtPath *path, uint32_t from, MtWork *w)
{
   const char *name = path->part[from];
   size_t n = strlen (name);
   uint32_t index;
   MtVal e;
   int yes = 0;
   if (mt_x_is_index (name, &index) && (e = mt_doc_at (array, index)).type != MT_MISSING)
      yes = leaf_value (m, e, path, from + 1, w);
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   while (!yes && mt_doc_next (&it, &key, &e))
      if (e.type == MT_DOC)
         yes = leaf_value (m, mt_doc_get (e, name, n), path, from + 1, w);
   return yes;
}

/* Tests the value at `path` of v, from component `from` on. If the path leads through arrays, tests
 * the values in all their elements. Each level of recursion uses one path component, so the depth
 * is limited. */
static int leaf_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from, MtWork *w)
{
   for (; from < path->count; from++) {
      if (v.type == MT_ARRAY)
         return leaf_array (m, v, path, from, w);
      v = v.type == MT_DOC ? mt_doc_field (v, path->part[from]) : mt_v_missing ();
   }
   return leaf_end (m, v, w);
}

static int combine (const MtMatch *m, MtVal v, const MtPath *itself, MtWork *w)
{
   for (uint32_t i = 0; i < m->count; i++) {
      const MtMatch *kid = m->kids[i];
      int yes = itself ? match_value (kid, v, itself, 0, w) : match_doc (kid, v, w);
      if (yes < 0)
         return yes;
      if (m->kind == MT_M_AND ? !yes : yes)
         return m->kind == MT_M_OR;
   }
   return m->kind != MT_M_OR;
}

static int match_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from, MtWork *w)
{
   if (m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR)
      return combine (m, v, path, w);
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return m->kind == MT_M_TRUE;
   return from == path->count ? m->test (m, v, w) : leaf_value (m, v, path, from, w);
}

static int match_doc (const MtMatch *m, MtVal doc, MtWork *w)
{
   if (m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR)
      return combine (m, doc, NULL, w);
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return m->kind == MT_M_TRUE;
   return leaf_value (m, doc, &m->path, 0, w);
}

/* ---- rows ---- */

static int match_slow (const MtMatch *m, MtVal v, MtWork *w)
{
   if (v.type == MT_DEFERRED)
      return leaf_array (m, (MtVal) {.type = MT_ARRAY, .len = v.len, .p = v.p}, &m->path, v.sub, w);
   return leaf_end (m, v, w);
}

static int match_expr (const MtMatch *m, MtWork *w)
{
   MtVal v;
   return mt_eval (m->expr, w, &v) ? mt_truthy (v) : -1;
}

int mt_match_row (const MtMatch *m, MtWork *w)
{
   switch (m->kind) {
   case MT_M_AND:
   case MT_M_OR:
   case MT_M_NOR:
      for (uint32_t i = 0; i < m->count; i++) {
         int yes = mt_match_row (m->kids[i], w);
         if (yes < 0)
            return yes;
         if (m->kind == MT_M_AND ? !yes : yes)
            return m->kind == MT_M_OR;
      }
      return m->kind != MT_M_OR;
   case MT_M_TRUE:
   case MT_M_FALSE: return m->kind == MT_M_TRUE;
   case MT_M_EXPR: return match_expr (m, w);
   default: break;
   }
   MtVal v = w->slots[m->slot];
   if (__builtin_expect (v.type == MT_ARRAY || v.type == MT_DEFERRED, 0))
      return match_slow (m, v, w);
   return m->test (m, v, w);
}

/* ---- blocks ---- */

bool mt_match_between (const MtMatch *m, MtVal min, MtVal max)
{
   /* $match also tests the elements of arrays, and elements may be outside the bounds. */
   int array = mt_v_rank (MT_ARRAY);
   if (mt_v_rank (min.type) <= array && mt_v_rank (max.type) >= array)
      return true;
   if (mt_is_nullish (m->value) || mt_x_collates (m->value))
      return true;
   switch (m->kind) {
   case MT_M_EQ: return mt_v_compare (m->value, min) >= 0 && mt_v_compare (m->value, max) <= 0;
   case MT_M_LT: return mt_v_compare (min, m->value) < 0;
   case MT_M_LTE: return mt_v_compare (min, m->value) <= 0;
   case MT_M_GT: return mt_v_compare (max, m->value) > 0;
   case MT_M_GTE: return mt_v_compare (max, m->value) >= 0;
   case MT_M_IN:
      if (m->set_null || m->set_regex_count)
         return true;
      for (uint32_t i = 0; i < m->set_count; i++)
         if (mt_x_collates (m->set[i]) ||
             (mt_v_compare (m->set[i], min) >= 0 && mt_v_compare (m->set[i], max) <= 0))
            return true;
      return false;
   default: return true;
   }
}

bool mt_match_block (const MtMatch *m, const MtSource *s, size_t index, const MtExecVar *scan)
{
   if (m->kind == MT_M_AND) {
      for (uint32_t i = 0; i < m->count; i++)
         if (!mt_match_block (m->kids[i], s, index, scan))
            return false;
      return true;
   }
   if (m->kind == MT_M_OR) {
      for (uint32_t i = 0; i < m->count; i++)
         if (mt_match_block (m->kids[i], s, index, scan))
            return true;
      return false;
   }
   if (!m->test || m->path.count != 1)
      return true;
   MtVal min, max;
   MtRangeParts parts;
   bool nan = m->kind == MT_M_EQ && m->value.type == MT_DOUBLE && isnan (m->value.d);
   if (nan && mt_block_parts (s, index, m->path.part[0], &parts))
      return parts.nans;
   return !mt_block_range (s, index, m->path.part[0], &min, &max) || mt_match_between (m, min, max);
}

/* Returns whether an index can find documents with these values: each type is equal only to itself
 * or is numeric, and equal values have the same hash. */
static bool findable (const MtVal *v, size_t count)
{
   for (size_t i = 0; i < count; i++) {
      if (mt_x_collates (v[i]))
         return false;
      switch (v[i].type) {
      case MT_INT32:
      case MT_INT64:
      case MT_DOUBLE:
      case MT_DECIMAL:
      case MT_STRING:
      case MT_DATE:
      case MT_OID:
      case MT_BOOL: break;
      default: return false;
      }
   }
   return count > 0;
}

MtKeyProbe mt_match_probe (const MtMatch *m)
{
   MtKeyProbe none = {0};
   for (uint32_t i = 0; m->kind == MT_M_AND && i < m->count; i++) {
      MtKeyProbe p = mt_match_probe (m->kids[i]);
      if (p.field)
         return p;
   }
   if (!m->test || m->path.count != 1)
      return none;
   if (m->kind == MT_M_EQ && findable (&m->value, 1))
      return (MtKeyProbe) {m->path.part[0], &m->value, 1};
   if (m->kind == MT_M_IN && !m->set_null && !m->set_regex_count && m->set_count <= MT_BLOCK_HITS &&
       findable (m->set, m->set_count))
      return (MtKeyProbe) {m->path.part[0], m->set, m->set_count};
   return none;
}

/* Narrows the range `span` by the comparison m. A strict comparison counts like <= or >=, so the
 * range may include its constant. */
static void narrow (const MtMatch *m, MtFieldSpan *span)
{
   bool below = m->kind == MT_M_LT || m->kind == MT_M_LTE || m->kind == MT_M_EQ,
        above = m->kind == MT_M_GT || m->kind == MT_M_GTE || m->kind == MT_M_EQ;
   if (below && m->value.i < span->high)
      span->high = m->value.i;
   if (above && m->value.i > span->low)
      span->low = m->value.i;
}

/* Narrows `span` by the comparisons of one field with dates or integers: the first field for which
 * m has such comparisons. */
static void collect (const MtMatch *m, MtFieldSpan *span)
{
   for (uint32_t i = 0; m->kind == MT_M_AND && i < m->count; i++)
      collect (m->kids[i], span);
   if (!m->test || m->path.count != 1 ||
       (m->kind != MT_M_EQ && m->kind != MT_M_LT && m->kind != MT_M_LTE && m->kind != MT_M_GT &&
        m->kind != MT_M_GTE))
      return;
   uint8_t type = m->value.type == MT_INT32 ? MT_INT64 : m->value.type;
   if (type != MT_DATE && type != MT_INT64)
      return;
   if (!span->field)
      *span = (MtFieldSpan) {m->path.part[0], type, INT64_MIN, INT64_MAX};
   if (span->type == type && strcmp (span->field, m->path.part[0]) == 0)
      narrow (m, span);
}

bool mt_match_span (const MtMatch *m, MtFieldSpan *out)
{
   *out = (MtFieldSpan) {0};
   collect (m, out);
   return out->field != NULL;
}
