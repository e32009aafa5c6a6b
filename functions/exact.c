/* Overflow checks for bigint arithmetic on servers. A server computes a sum that is too large as a
 * double. If that double equals the smallest bigint, it may be rounded up from a value out of
 * range. */
#include "functions/exact.h"

#include <string.h>

#define TOO_SMALL (-1e19) /* below the bigint range, so $toLong fails */

static bool is_arithmetic (MtVal v)
{
   static const char *const ops[] = {"$add", "$subtract", "$multiply"};
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   bool found = false;
   if (v.type == MT_DOC && mt_doc_next (&it, &key, &x))
      for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
         found = found || mt_str_is (key, ops[i]);
   return found;
}

static bool is_sum (MtStr key, MtVal v) { return mt_str_is (key, "$toLong") && is_arithmetic (v); }

static bool has_sums (MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   bool found = false;
   while (!found && mt_doc_next (&it, &key, &x))
      found = is_sum (key, x) || ((x.type == MT_DOC || x.type == MT_ARRAY) &&
                                  !mt_str_is (key, "$literal") && has_sums (x));
   return found;
}

static MtVal checked (MtArena *a, MtVal sum)
{
   const bson_t *r = mt_mql_path (a, "$r");
   const bson_t *least = mt_mql_op (a, "$eq", r, mt_mql_const (a, mt_v_double (-0x1p63)), NULL);
   const bson_t *rounded = mt_mql_op (a, "$eq", mt_mql_op1 (a, "$type", r),
                                      mt_mql_const (a, mt_v_cstr ("double")), NULL);
   return mt_doc_value (
      mt_mql_let (a, "r", mt_doc_of (a, sum),
                  mt_mql_op (a, "$cond", mt_mql_op (a, "$and", least, rounded, NULL),
                             mt_mql_const (a, mt_v_double (TOO_SMALL)), r, NULL)));
}

/* Returns a copy of v with an overflow check around each {$toLong: arithmetic}. The recursion is
 * limited by the nesting of the stages. */
static bson_t *rebuilt (MtArena *a, MtVal v)
{
   bson_t *out = mt_doc_new (a);
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal x;
   while (mt_doc_next (&it, &key, &x)) {
      bool sum = is_sum (key, x);
      if ((x.type == MT_DOC || x.type == MT_ARRAY) && !mt_str_is (key, "$literal"))
         x = x.type == MT_DOC ? mt_v_doc (rebuilt (a, x)) : mt_v_array (rebuilt (a, x));
      mt_doc_add (out, mt_strndup (a, key.p, key.n), sum ? checked (a, x) : x);
   }
   return out;
}

bson_t *mt_exact_longs (MtArena *a, bson_t *stages)
{
   MtVal v = mt_v_array (stages);
   bool any = memmem (v.p, v.len, "$toLong", sizeof "$toLong") !=
              NULL; /* most stages have no sum, and searching their bytes shows this sooner */
   return any && has_sums (v) ? rebuilt (a, v) : stages;
}
