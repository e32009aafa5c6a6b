/* Testing rows, documents and blocks against a match tree. */
#include "engine/local/match_int.h"
#include "base/pcre.h"

#include <math.h>


/* ---- types ---- */

static int bracket (uint8_t type)
{
   switch (type) {
   case MT_MINKEY: return 0;
   case MT_MISSING: case MT_NULL: case MT_UNDEFINED: return 1;
   case MT_INT32: case MT_INT64: case MT_DOUBLE: case MT_DECIMAL: return 2;
   case MT_STRING: case MT_SYMBOL: return 3;
   case MT_DOC: return 4;
   case MT_ARRAY: return 5;
   case MT_BINARY: return 6;
   case MT_OID: return 7;
   case MT_BOOL: return 8;
   case MT_DATE: return 9;
   case MT_TIMESTAMP: return 10;
   case MT_REGEX: return 11;
   case MT_MAXKEY: return 20;
   default: return 12 + (type & 7);
   }
}

bool mt_type_same_bracket (MtVal a, MtVal b) { return bracket (a.type) == bracket (b.type); }

/* ---- tests of one value ---- */

static bool test_eq (const MtMatch *m, MtVal v)
{
   return mt_type_same_bracket (m->value, v) && mt_v_compare (v, m->value) == 0;
}

static bool test_eq_string (const MtMatch *m, MtVal v)
{
   return v.type == MT_STRING && v.len == m->value.len && memcmp (v.p, m->value.p, v.len) == 0;
}

static bool test_eq_null (const MtMatch *m, MtVal v) { return mt_is_nullish (v); }

static bool test_eq_int (const MtMatch *m, MtVal v)
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
   return *can ? mt_v_compare (v, c) : 0;
}

static bool test_lt (const MtMatch *m, MtVal v)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign < 0;
}

static bool test_lte (const MtMatch *m, MtVal v)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign <= 0;
}

static bool test_gt (const MtMatch *m, MtVal v)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign > 0;
}

static bool test_gte (const MtMatch *m, MtVal v)
{
   bool can;
   int sign = order (m, v, &can);
   return can && sign >= 0;
}

static bool test_in (const MtMatch *m, MtVal v)
{
   if (mt_is_nullish (v))
      return m->set_null;
   if (m->set_count == 1 && !m->set_regex_count && v.type == MT_STRING && m->set[0].type == MT_STRING)
      return v.len == m->set[0].len && memcmp (v.p, m->set[0].p, v.len) == 0;
   for (uint32_t i = 0; i < m->set_regex_count; i++)
      if (m->set_regex[i]->test (m->set_regex[i], v))
         return true;
   if (!m->set_count)
      return false;
   uint32_t at = (uint32_t) mt_v_hash (v, 0) & m->set_mask;
   for (; m->set_index[at]; at = (at + 1) & m->set_mask) {
      MtVal c = m->set[m->set_index[at] - 1];
      if (mt_type_same_bracket (c, v) && mt_v_compare (c, v) == 0)
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
      uint32_t at = (uint32_t) mt_v_hash (m->set[i], 0) & m->set_mask;
      while (m->set_index[at])
         at = (at + 1) & m->set_mask;
      m->set_index[at] = i + 1;
   }
}

static bool test_exists (const MtMatch *m, MtVal v) { return v.type != MT_MISSING; }

static bool test_type (const MtMatch *m, MtVal v)
{
   return v.type != MT_MISSING && (m->types[v.type / 32] >> (v.type % 32) & 1);
}

static bool test_mod (const MtMatch *m, MtVal v)
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

static bool test_size (const MtMatch *m, MtVal v) { return v.type == MT_ARRAY && (int64_t) mt_doc_count (v) == m->rest; }

static bool test_elem (const MtMatch *m, MtVal v)
{
   if (v.type != MT_ARRAY)
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   static const MtPath itself = {NULL, 0};
   while (mt_doc_next (&it, &key, &e)) {
      if (m->kind == MT_M_ELEM_OBJECT ? e.type == MT_DOC && mt_match_doc (m->kids[0], e)
                                      : mt_match_value (m->kids[0], e, &itself, 0))
         return true;
   }
   return false;
}

/* ---- regular expressions ---- */

/* A pattern that needs more steps than this doesn't match: no pattern may hold a query up. */
#define MATCH_STEPS 200000u

static void regex_free (void *code) { pcre2_code_free (code); }

void *mt_match_regex_new (MtArena *a, MtStr pattern, MtStr options, MtError *err)
{
   uint32_t flags = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
   for (size_t i = 0; i < options.n; i++) {
      switch (options.p[i]) {
      case 'i': flags |= PCRE2_CASELESS; break;
      case 'm': flags |= PCRE2_MULTILINE; break;
      case 's': flags |= PCRE2_DOTALL; break;
      case 'x': flags |= PCRE2_EXTENDED; break;
      case 'u': break;
      default:
         mt_error (err, MT_E_PARAMETER, "invalid flag in regex options: %c", options.p[i]);
         return NULL;
      }
   }
   int code;
   PCRE2_SIZE at;
   pcre2_code *re = pcre2_compile ((PCRE2_SPTR) pattern.p, pattern.n, flags, &code, &at, mt_pcre_compile ());
   if (!re) {
      PCRE2_UCHAR text[160];
      pcre2_get_error_message (code, text, sizeof text);
      mt_error (err, MT_E_PARAMETER, "regular expression is invalid: %s at offset %zu", (char *) text, (size_t) at);
      return NULL;
   }
   mt_arena_defer (a, regex_free, re);
   return re;
}

static bool test_regex (const MtMatch *m, MtVal v)
{
   if (v.type == MT_REGEX && m->value.type == MT_REGEX)
      return v.len == m->value.len && memcmp (v.p, m->value.p, v.len) == 0;
   if (v.type != MT_STRING && v.type != MT_SYMBOL)
      return false;
   pcre2_match_data *data = pcre2_match_data_create (1, mt_pcre_general ());
   pcre2_match_context *limits = pcre2_match_context_create (mt_pcre_general ());
   pcre2_set_match_limit (limits, MATCH_STEPS);
   int rc = pcre2_match (m->regex, (PCRE2_SPTR) v.p, v.len, 0, 0, data, limits);
   pcre2_match_context_free (limits);
   pcre2_match_data_free (data);
   return rc >= 0;
}

static MtMatchTest equality (MtVal c)
{
   switch (c.type) {
   case MT_STRING: return test_eq_string;
   case MT_INT32: case MT_INT64: return test_eq_int;
   case MT_NULL: case MT_MISSING: case MT_UNDEFINED: return test_eq_null;
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
   case MT_M_ELEM_OBJECT: case MT_M_ELEM_VALUE: return test_elem;
   case MT_M_AND: case MT_M_OR: case MT_M_NOR: case MT_M_TRUE: case MT_M_FALSE: case MT_M_EXPR: break;
   }
   return NULL;
}

/* ---- paths with arrays on the way ---- */

static bool leaf_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from);

static bool leaf_end (const MtMatch *m, MtVal v)
{
   if (m->test (m, v))
      return true;
   bool whole = m->kind == MT_M_SIZE || m->kind == MT_M_EXISTS || m->kind == MT_M_ELEM_OBJECT || m->kind == MT_M_ELEM_VALUE;
   if (v.type != MT_ARRAY || whole)
      return false;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e))
      if (m->test (m, e))
         return true;
   return false;
}

static bool leaf_array (const MtMatch *m, MtVal array, const MtPath *path, uint32_t from)
{
   const char *name = path->part[from];
   size_t n = strlen (name);
   uint32_t index;
   MtVal e;
   if (mt_x_is_index (name, &index) && (e = mt_doc_at (array, index)).type != MT_MISSING &&
       leaf_value (m, e, path, from + 1))
      return true;
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   while (mt_doc_next (&it, &key, &e))
      if (e.type == MT_DOC && leaf_value (m, mt_doc_get (e, name, n), path, from + 1))
         return true;
   return false;
}

/* Bounded by the path's length: each level takes a component. */
static bool leaf_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from)
{
   for (; from < path->count; from++) {
      if (v.type == MT_ARRAY)
         return leaf_array (m, v, path, from);
      v = v.type == MT_DOC ? mt_doc_get (v, path->part[from], strlen (path->part[from])) : mt_v_missing ();
   }
   return leaf_end (m, v);
}

static bool combine (const MtMatch *m, MtVal v, const MtPath *itself)
{
   for (uint32_t i = 0; i < m->count; i++) {
      const MtMatch *kid = m->kids[i];
      bool yes = itself ? mt_match_value (kid, v, itself, 0) : mt_match_doc (kid, v);
      if (m->kind == MT_M_AND ? !yes : yes)
         return m->kind == MT_M_OR;
   }
   return m->kind != MT_M_OR;
}

bool mt_match_value (const MtMatch *m, MtVal v, const MtPath *path, uint32_t from)
{
   if (m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR)
      return combine (m, v, path);
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return m->kind == MT_M_TRUE;
   return from == path->count ? m->test (m, v) : leaf_value (m, v, path, from);
}

bool mt_match_doc (const MtMatch *m, MtVal doc)
{
   if (m->kind == MT_M_AND || m->kind == MT_M_OR || m->kind == MT_M_NOR)
      return combine (m, doc, NULL);
   if (m->kind == MT_M_TRUE || m->kind == MT_M_FALSE)
      return m->kind == MT_M_TRUE;
   return leaf_value (m, doc, &m->path, 0);
}

/* ---- rows ---- */

static int match_slow (const MtMatch *m, MtVal v)
{
   if (v.type == MT_DEFERRED)
      return leaf_array (m, (MtVal){.type = MT_ARRAY, .len = v.len, .p = v.p}, &m->path, v.sub);
   return leaf_end (m, v);
}

static int match_expr (const MtMatch *m, MtWork *w)
{
   MtVal v;
   return mt_eval (m->expr, w, &v) ? mt_truthy (v) : -1;
}

int mt_match_row (const MtMatch *m, MtWork *w)
{
   switch (m->kind) {
   case MT_M_AND: case MT_M_OR: case MT_M_NOR:
      for (uint32_t i = 0; i < m->count; i++) {
         int yes = mt_match_row (m->kids[i], w);
         if (yes < 0)
            return yes;
         if (m->kind == MT_M_AND ? !yes : yes)
            return m->kind == MT_M_OR;
      }
      return m->kind != MT_M_OR;
   case MT_M_TRUE: case MT_M_FALSE:
      return m->kind == MT_M_TRUE;
   case MT_M_EXPR:
      return match_expr (m, w);
   case MT_M_EQ: case MT_M_LT: case MT_M_LTE: case MT_M_GT: case MT_M_GTE: case MT_M_IN: case MT_M_EXISTS: case MT_M_TYPE:
   case MT_M_REGEX: case MT_M_MOD: case MT_M_SIZE: case MT_M_ELEM_OBJECT: case MT_M_ELEM_VALUE:
      break;
   }
   MtVal v = w->slots[m->slot];
   if (__builtin_expect (v.type == MT_ARRAY || v.type == MT_DEFERRED, 0))
      return match_slow (m, v);
   return m->test (m, v);
}

/* ---- blocks ---- */

static bool leaf_block (const MtMatch *m, MtVal min, MtVal max)
{
   /* An array's elements are matched too, and may lie outside the range. */
   if (bracket (min.type) <= bracket (MT_ARRAY) && bracket (max.type) >= bracket (MT_ARRAY))
      return true;
   if (mt_is_nullish (m->value))
      return true;
   switch (m->kind) {
   case MT_M_EQ:
      return mt_v_compare (m->value, min) >= 0 && mt_v_compare (m->value, max) <= 0;
   case MT_M_LT:
      return mt_v_compare (min, m->value) < 0;
   case MT_M_LTE:
      return mt_v_compare (min, m->value) <= 0;
   case MT_M_GT:
      return mt_v_compare (max, m->value) > 0;
   case MT_M_GTE:
      return mt_v_compare (max, m->value) >= 0;
   case MT_M_IN:
      if (m->set_null || m->set_regex_count)
         return true;
      for (uint32_t i = 0; i < m->set_count; i++)
         if (mt_v_compare (m->set[i], min) >= 0 && mt_v_compare (m->set[i], max) <= 0)
            return true;
      return false;
   case MT_M_AND: case MT_M_OR: case MT_M_NOR: case MT_M_TRUE: case MT_M_FALSE: case MT_M_EXPR: case MT_M_EXISTS:
   case MT_M_TYPE: case MT_M_REGEX: case MT_M_MOD: case MT_M_SIZE: case MT_M_ELEM_OBJECT: case MT_M_ELEM_VALUE:
      break;
   }
   return true;
}

bool mt_match_block (const MtMatch *m, const MtSource *s, size_t index, const MtVar *scan)
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
   return !mt_block_range (s, index, m->path.part[0], &min, &max) || leaf_block (m, min, max);
}

/* Values that are equal to nothing of another kind, and whose hash says so. */
static bool findable (const MtVal *v, size_t count)
{
   for (size_t i = 0; i < count; i++)
      switch (v[i].type) {
      case MT_INT32: case MT_INT64: case MT_DOUBLE: case MT_DECIMAL: case MT_STRING: case MT_DATE: case MT_OID: case MT_BOOL: break;
      default: return false;
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
      return (MtKeyProbe){m->path.part[0], &m->value, 1};
   if (m->kind == MT_M_IN && !m->set_null && !m->set_regex_count && m->set_count <= MT_BLOCK_HITS && findable (m->set, m->set_count))
      return (MtKeyProbe){m->path.part[0], m->set, m->set_count};
   return none;
}
