/* The table of accumulators, and the simple accumulators: sums, minimum and maximum, first and
 * last, and standard deviation. */
#include "engine/local/group/accum_int.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <math.h>

/* ---- $sum, $avg, $count ---- */

static bool sum_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   /* $toDecimal would convert values that are neither numbers nor null. This sum does not, so they
    * are an error. */
   if (a->decimal && !mt_is_number (v) && !mt_is_nullish (v))
      return mt_error (&w->err, MT_E_PARAMETER,
                       "failed to convert a value of type %s to decimal in $sum",
                       mt_v_type_name (v));
   return mt_sum_add (state, v);
}

static bool sum_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   mt_sum_merge (into, from);
   return true;
}

static bool sum_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const MtSum *s = state;
   *out = a->decimal && !s->count ? mt_v_int32 (0) : mt_sum_value (s, a->decimal, w->arena);
   return true;
}

static bool avg_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   *out = mt_avg_value (state, w->arena);
   return true;
}

/* Parses $sum. For {$sum: {$toDecimal: x}}, integers are added without converting them first. The
 * result is the same decimal. */
static bool sum_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   MtExecExpr *e = mt_expr_parse (c, spec);
   if (!e)
      return false;
   a->arg = e;
   if (e->kind == MT_EX_OP && strcmp (e->row->name, "$toDecimal") == 0 &&
       e->args[0]->kind == MT_EX_FIELD) {
      a->decimal = true;
      a->arg = mt_expr_new (c, MT_EX_OP, mt_ev_op1, 1);
      a->arg->row = &mt_acc_decimal_row;
      a->arg->args[0] = e->args[0];
      mt_acc_decimal_user (c, a->arg, e->row);
   }
   return true;
}

static bool count_parse (MtCompile *c, MtAcc *a, MtVal spec)
{
   if (spec.type != MT_DOC || mt_doc_count (spec) != 0)
      return mt_bad (c, MT_CODE_TYPE_MISMATCH, "$count takes no arguments, i.e. $count:{}");
   a->arg = mt_expr_const (c, mt_v_int32 (1));
   return true;
}

/* ---- $min, $max, $first, $last ---- */

typedef struct One {
   MtVal v;
   uint64_t seq;
   bool set;
   bool owned; /* the value's bytes are in the table's arena, not in a block */
} One;

static void keep_one (MtGroupTable *t, One *o, MtVal v, MtWork *w)
{
   o->owned = mt_bytes_len (v) && !mt_x_lasting (w, v.p);
   o->v = mt_x_keep (w, t->arena, v);
   o->set = true;
}

/* Replaces the kept value by an equal decimal with other digits, such as 1.00 for 1.0, because
 * PostgreSQL returns the last of equal values. */
static void keep_equal (MtGroupTable *t, One *o, MtVal v, MtWork *w)
{
   if (o->v.type == MT_DECIMAL && o->owned)
      /* The bytes are in the table's own memory, so they can be overwritten. */
      memcpy ((void *) (uintptr_t) o->v.p, v.p, 16);
   else
      keep_one (t, o, v, w);
}

static bool extreme_add (MtGroupTable *t, One *o, MtVal v, MtWork *w, int wanted)
{
   if (mt_is_nullish (v))
      return true;
   if (o->set) {
      int sign;
      if (v.type == o->v.type && (v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DATE))
         sign = (v.i > o->v.i) - (v.i < o->v.i);
      else if (v.type == MT_DOUBLE && o->v.type == MT_DOUBLE && v.d == v.d && o->v.d == o->v.d)
         sign = (v.d > o->v.d) - (v.d < o->v.d);
      else
         sign = mt_x_compare (v, o->v);
      if (sign == 0 && v.type == MT_DECIMAL)
         keep_equal (t, o, v, w);
      if ((wanted < 0 && sign >= 0) || (wanted > 0 && sign <= 0))
         return true;
   }
   keep_one (t, o, v, w);
   return true;
}

static bool min_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   return extreme_add (t, state, v, w, -1);
}
static bool max_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   return extreme_add (t, state, v, w, 1);
}

static bool min_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const One *o = from;
   return !o->set || extreme_add (t, into, o->v, w, -1);
}

static bool max_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   const One *o = from;
   return !o->set || extreme_add (t, into, o->v, w, 1);
}

static bool first_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   One *o = state;
   if (o->set)
      return true;
   o->seq = w->seq;
   keep_one (t, o, v, w);
   return true;
}

static bool last_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   One *o = state;
   uint32_t n = mt_bytes_len (v);
   if (n && o->owned && n <= mt_bytes_len (o->v) && o->v.type == v.type && !mt_x_lasting (w, v.p)) {
      memcpy ((uint8_t *) (uintptr_t) o->v.p, v.p,
              /* Overwrites the bytes of the old value, so that memory does not grow with each
               * row. */
              n);
      o->v.len = v.len;
      o->v.sub = v.sub;
   } else
      keep_one (t, o, v, w);
   o->seq = w->seq;
   return true;
}

static bool first_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   One *o = into;
   const One *f = from;
   if (!f->set || (o->set && o->seq <= f->seq))
      return true;
   keep_one (t, o, f->v, w);
   o->seq = f->seq;
   return true;
}

static bool last_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   One *o = into;
   const One *f = from;
   if (!f->set || (o->set && o->seq > f->seq))
      return true;
   keep_one (t, o, f->v, w);
   o->seq = f->seq;
   return true;
}

static bool one_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const One *o = state;
   *out = o->set ? o->v : mt_v_null ();
   return true;
}

static bool one_save (const MtAcc *a, const void *state, MtWork *w, MtBson *b)
{
   const One *o = state;
   mt_bson_bytes (b, o, sizeof *o);
   mt_pack (b, o->v);
   return true;
}

static bool one_load (const MtAcc *a, MtGroupTable *t, void *state, const uint8_t **p,
                      const uint8_t *end, MtWork *w)
{
   One *o = state;
   if ((size_t) (end - *p) < sizeof *o)
      return false;
   memcpy (o, *p, sizeof *o);
   *p += sizeof *o;
   if (!mt_unpack (p, end, &o->v))
      return false;
   o->v = mt_acc_own (t, o->v);
   o->owned = mt_bytes_len (o->v) != 0;
   return true;
}

/* ---- $stdDevPop, $stdDevSamp ---- */

typedef struct Deviation {
   double mean, m2;
   uint64_t n;
} Deviation;

static double as_double (MtVal v)
{
   if (v.type == MT_DOUBLE)
      return v.d;
   return v.type == MT_DECIMAL ? mt_acc_decimal_double (v) : (double) v.i;
}

static bool dev_add (const MtAcc *a, MtGroupTable *t, void *state, MtVal v, MtWork *w)
{
   Deviation *s = state;
   if (!mt_is_number (v))
      return true;
   double x = as_double (v), delta = x - s->mean;
   s->n++;
   s->mean += delta / (double) s->n;
   s->m2 += delta * (x - s->mean);
   return true;
}

static bool dev_merge (const MtAcc *a, MtGroupTable *t, void *into, const void *from, MtWork *w)
{
   Deviation *s = into;
   const Deviation *f = from;
   if (!f->n)
      return true;
   double n = (double) (s->n + f->n), delta = f->mean - s->mean;
   s->m2 += f->m2 + delta * delta * (double) s->n * (double) f->n / n;
   s->mean += delta * (double) f->n / n;
   s->n += f->n;
   return true;
}

static bool dev_result (const MtAcc *a, const void *state, MtWork *w, MtVal *out)
{
   const Deviation *s = state;
   uint64_t less = a->row->form & MT_ACC_SAMPLE ? 1 : 0;
   *out = s->n <= less ? mt_v_null () : mt_v_double (sqrt (s->m2 / (double) (s->n - less)));
   return true;
}

/* ---- the table ---- */

#define LIST mt_list_add, mt_list_merge, mt_list_result, mt_list_save, mt_list_load
#define PERCENTILE \
   mt_percentile_add, mt_percentile_merge, mt_percentile_result, mt_percentile_save, \
      mt_percentile_load
#define TOP mt_top_add, mt_top_merge, mt_top_result, mt_top_save, mt_top_load

static const MtAccRow rows[] = {
   {"$sum", sizeof (MtSum), false, sum_parse, sum_add, sum_merge, sum_result, NULL, NULL,
    MT_ACC_TOTAL},
   {"$avg", sizeof (MtSum), false, NULL, sum_add, sum_merge, avg_result, NULL, NULL, 0},
   {"$count", sizeof (MtSum), false, count_parse, sum_add, sum_merge, sum_result, NULL, NULL,
    MT_ACC_TOTAL},
   {"$min", sizeof (One), false, NULL, min_add, min_merge, one_result, one_save, one_load, 0},
   {"$max", sizeof (One), false, NULL, max_add, max_merge, one_result, one_save, one_load, 0},
   {"$first", sizeof (One), false, NULL, first_add, first_merge, one_result, one_save, one_load, 0},
   {"$last", sizeof (One), false, NULL, last_add, last_merge, one_result, one_save, one_load, 0},
   {"$push", sizeof (MtAccList), true, NULL, LIST, 0},
   {"$addToSet", sizeof (MtAccList), false, NULL, mt_set_add, mt_set_merge, mt_list_result,
    mt_list_save, mt_list_load, 0},
   {"$concatArrays", sizeof (MtAccList), true, NULL, mt_concat_add, mt_list_merge, mt_list_result,
    mt_list_save, mt_list_load, 0},
   {"$setUnion", sizeof (MtAccList), false, NULL, mt_union_add, mt_set_merge, mt_list_result,
    mt_list_save, mt_list_load, 0},
   {"$mergeObjects", sizeof (MtAccList), true, NULL, mt_objects_add, mt_list_merge,
    mt_objects_result, mt_list_save, mt_list_load, 0},
   {"$stdDevPop", sizeof (Deviation), false, NULL, dev_add, dev_merge, dev_result, NULL, NULL, 0},
   {"$stdDevSamp", sizeof (Deviation), false, NULL, dev_add, dev_merge, dev_result, NULL, NULL,
    MT_ACC_SAMPLE},
   {"$firstN", sizeof (MtAccTop), false, mt_n_parse, TOP, 0},
   {"$lastN", sizeof (MtAccTop), false, mt_n_parse, TOP, MT_ACC_LAST},
   {"$minN", sizeof (MtAccTop), false, mt_n_parse, TOP, MT_ACC_EXTREME},
   {"$maxN", sizeof (MtAccTop), false, mt_n_parse, TOP, MT_ACC_EXTREME | MT_ACC_LAST},
   {"$top", sizeof (MtAccTop), false, mt_top_parse, TOP, MT_ACC_SINGLE},
   {"$bottom", sizeof (MtAccTop), false, mt_top_parse, TOP, MT_ACC_SINGLE | MT_ACC_LAST},
   {"$topN", sizeof (MtAccTop), false, mt_top_parse, TOP, 0},
   {"$bottomN", sizeof (MtAccTop), false, mt_top_parse, TOP, MT_ACC_LAST},
   {"$percentile", sizeof (MtNumbers), false, mt_percentile_parse, PERCENTILE, 0},
   {"$median", sizeof (MtNumbers), false, mt_percentile_parse, PERCENTILE, MT_ACC_SINGLE},
   {"$_mtSorted", sizeof (MtSortedState), true, mt_sorted_parse, mt_sorted_add, mt_sorted_merge,
    mt_sorted_result, mt_sorted_save, mt_sorted_load, 0},
};

#define ROWS (sizeof rows / sizeof *rows)

static const MtAccRow *row_at (size_t i)
{
   const MtAccRow *more = i < ROWS ? NULL : mt_acc_stat_rows;
   for (size_t k = ROWS; more && more->name && k < i; k++)
      more++;
   if (!more)
      return &rows[i];
   return more->name ? more : NULL;
}

/* Returns the description of the accumulator with this name, or NULL. */
static const MtAccRow *acc_find (const char *name)
{
   const MtAccRow *r;
   for (size_t i = 0; (r = row_at (i)); i++)
      if (strcmp (r->name, name) == 0)
         return r;
   return mt_acc_added (name);
}

bool mt_acc_parse (MtCompile *c, MtAcc *a, const char *op, MtVal spec)
{
   a->row = acc_find (op);
   if (!a->row && mt_refused (c, op))
      return false;
   if (!a->row) {
      const char *names[ROWS];
      for (size_t i = 0; i < ROWS; i++)
         names[i] = rows[i].name;
      const char *near = mt_nearest (op, names, ROWS);
      mt_error_coded (c->err, MT_E_FEATURE, 15952, "unknown group operator '%s'", op);
      if (near)
         mt_error_hint (c->err, "Perhaps you meant \"%s\".", near);
      return false;
   }
   if (a->row->parse)
      return a->row->parse (c, a, spec);
   return (a->arg = mt_expr_parse (c, spec)) != NULL;
}
