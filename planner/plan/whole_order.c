/* Protects comparisons that servers must not answer from an index. DocumentDB converts comparisons
 * at the top of $expr, and in an $and there, to index ranges; but not comparisons within $or. */
#include "planner/plan/whole_order.h"

#include <string.h>

static bool is_ordering (MtStr op)
{
   static const char *const ops[] = {"$gt", "$gte", "$lt", "$lte"};
   bool found = false;
   for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
      found = found || mt_str_is (op, ops[i]);
   return found;
}

static bool begins_with_dollar (MtVal v)
{
   return v.type == MT_STRING && v.len && ((const char *) v.p)[0] == '$';
}

static bool is_field (MtVal v)
{
   return begins_with_dollar (v) && v.len > 1 && ((const char *) v.p)[1] != '$';
}

static bool is_constant (MtVal v)
{
   return v.type == MT_DOC ? mt_doc_field (v, "$literal").type != MT_MISSING
                           : v.type != MT_ARRAY && !begins_with_dollar (v);
}

static bool is_range (MtStr op, MtVal args)
{
   MtVal l = mt_doc_at (args, 0), r = mt_doc_at (args, 1);
   return is_ordering (op) &&
          ((is_field (l) && is_constant (r)) || (is_field (r) && is_constant (l)));
}

/* Returns the condition x with each comparison that DocumentDB would convert put into an $or. The
 * recursion is no deeper than the stages. */
static MtVal without_ranges (MtArena *a, MtVal x)
{
   MtDocIter it = mt_doc_iter (x);
   MtStr key;
   MtVal args, each;
   if (x.type != MT_DOC || !mt_doc_next (&it, &key, &args) || args.type != MT_ARRAY)
      return x;
   bool all = mt_str_is (key, "$and");
   if (!all && !is_range (key, args))
      return x;
   bson_t *list = mt_doc_new (a), *out = mt_doc_new (a);
   if (!all)
      mt_doc_push (list, x);
   for (it = mt_doc_iter (args); all && mt_doc_next (&it, &key, &each);)
      mt_doc_push (list, without_ranges (a, each));
   mt_doc_add_array (out, all ? "$and" : "$or", list);
   return mt_v_doc (out);
}

/* Returns a copy of v in which each $expr is rewritten by without_ranges. The recursion is no
 * deeper than the stages. */
static bson_t *rebuilt (MtArena *a, MtVal v)
{
   bson_t *out = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      if (mt_str_is (key, "$expr"))
         x = without_ranges (a, x);
      else if ((x.type == MT_DOC || x.type == MT_ARRAY) && !mt_str_is (key, "$literal"))
         x = x.type == MT_DOC ? mt_v_doc (rebuilt (a, x)) : mt_v_array (rebuilt (a, x));
      mt_doc_add (out, mt_strndup (a, key.p, key.n), x);
   }
   return out;
}

bson_t *mt_whole_order (MtArena *a, bson_t *stages)
{
   MtVal v = mt_v_array (stages);
   return memmem (v.p, v.len, "$expr", sizeof "$expr") ? rebuilt (a, v) : stages;
}
