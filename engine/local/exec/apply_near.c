/* Finds the limits of time within which a pipeline of $_mtApply reads documents for each row. */
#include "engine/local/exec/apply_int.h"

#include <string.h>

typedef struct Search {
   MtCompile *c;
   MtApplyNames names;
   MtVal value, low, high; /* what the search has found; MT_MISSING: nothing yet */
} Search;

enum { FIELDS = 1, VARIABLES = 2, OTHER = 4 };

static unsigned reads_name (const Search *s, MtVal v)
{
   if (v.len < 2 || v.p[0] != '$')
      return 0;
   if (v.p[1] != '$')
      return FIELDS;
   for (uint32_t i = 0; i < s->names.count; i++)
      if (strlen (s->names.names[i]) == v.len - 2u &&
          memcmp (s->names.names[i], v.p + 2, v.len - 2u) == 0)
         return VARIABLES;
   return OTHER;
}

/* Returns what the expression e refers to, as bits: FIELDS, VARIABLES, OTHER. */
static unsigned reads (const Search *s, MtVal e)
{
   unsigned all = 0;
   if (e.type == MT_STRING)
      return reads_name (s, e);
   if (e.type != MT_DOC && e.type != MT_ARRAY)
      return 0;
   MtDocIter it = mt_doc_iter (e);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!mt_str_is (key, "$literal"))
         all |= reads (s, v);
   return all;
}

static bool same (MtVal a, MtVal b)
{
   return a.type == b.type && a.len == b.len && memcmp (a.p, b.p, a.len) == 0;
}

/* If one operand of a comparison is computed from fields, and the other operand from variables,
 * stores them as a limit. greater: the comparison is > or >=. */
static void take (Search *s, bool greater, MtVal operands)
{
   size_t n;
   MtVal *list = mt_v_elements (s->c->arena, operands, &n);
   if (operands.type != MT_ARRAY || n != 2)
      return;
   unsigned left = reads (s, list[0]), right = reads (s, list[1]);
   bool swapped = left == VARIABLES && right == FIELDS;
   if (!swapped && !(left == FIELDS && right == VARIABLES))
      return;
   MtVal value = list[swapped], *bound = greater != swapped ? &s->low : &s->high;
   if (bound->type != MT_MISSING || (s->value.type != MT_MISSING && !same (s->value, value)))
      return;
   s->value = value;
   *bound = list[!swapped];
}

/* Searches a condition of $match for comparisons that limit a time. is_expr: `condition` is inside
 * an $expr. */
static void search (Search *s, MtVal condition, bool is_expr)
{
   MtDocIter it = mt_doc_iter (condition);
   MtStr name;
   MtVal v;
   while (condition.type == MT_DOC && mt_doc_next (&it, &name, &v)) {
      size_t n = 0;
      MtVal *list = mt_str_is (name, "$and") ? mt_v_elements (s->c->arena, v, &n) : NULL;
      for (size_t i = 0; list && i < n; i++)
         search (s, list[i], is_expr);
      if (!is_expr && mt_str_is (name, "$expr"))
         search (s, v, true);
      else if (is_expr && (mt_str_is (name, "$gte") || mt_str_is (name, "$gt")))
         take (s, true, v);
      else if (is_expr && (mt_str_is (name, "$lte") || mt_str_is (name, "$lt")))
         take (s, false, v);
   }
}

/* Makes a stage {name: spec}. */
static MtVal stage (MtArena *a, const char *name, MtVal spec)
{
   bson_t *d = mt_doc_new (a);
   mt_doc_add (d, name, spec);
   return mt_v_doc (d);
}

MtVal mt_apply_near (MtCompile *c, MtApplyNames names, MtVal pipeline, MtVal *value)
{
   const MtVal none = mt_v_missing ();
   Search s = {.c = c, .names = names, .value = none, .low = none, .high = none};
   size_t n;
   MtVal *stages = mt_v_elements (c->arena, pipeline, &n);
   if (n && stages[0].type == MT_DOC)
      search (&s, mt_doc_field (stages[0], "$match"), false);
   if (s.value.type == MT_MISSING)
      return none;
   bson_t *bounds = mt_doc_new (c->arena), *one = mt_doc_new (c->arena);
   if (s.low.type != MT_MISSING)
      mt_doc_add (bounds, "lo", s.low);
   if (s.high.type != MT_MISSING)
      mt_doc_add (bounds, "hi", s.high);
   mt_doc_add (one, "0", mt_v_doc (mt_doc_new (c->arena)));
   bson_t *all = mt_doc_new (c->arena);
   mt_doc_add (all, "0", stage (c->arena, "$documents", mt_v_array (one)));
   mt_doc_add (all, "1", stage (c->arena, "$project", mt_v_doc (bounds)));
   *value = s.value;
   return mt_v_array (all);
}

MtVal mt_apply_with_near (MtCompile *c, MtVal pipeline, MtVal value)
{
   size_t n;
   MtVal *stages = mt_v_elements (c->arena, pipeline, &n);
   bson_t *all = mt_doc_new (c->arena);
   for (size_t i = 0; i < n; i++)
      mt_doc_push (all, stages[i]);
   mt_doc_push (all, stage (c->arena, "$addFields", stage (c->arena, MT_NEAR_FIELD, value)));
   return mt_v_array (all);
}

bool mt_apply_bounds (MtCursor *cursor, int64_t *from, int64_t *until, MtError *err)
{
   const bson_t *doc;
   mt_sub_rewind (cursor);
   if (!mt_cursor_next (cursor, &doc, err))
      return false;
   MtVal low = doc ? mt_doc_field (mt_v_doc (doc), "lo") : mt_v_missing (),
         high = doc ? mt_doc_field (mt_v_doc (doc), "hi") : mt_v_missing ();
   *from = low.type == MT_DATE ? low.i : INT64_MIN;
   *until = high.type == MT_DATE ? high.i : INT64_MAX;
   return true;
}
