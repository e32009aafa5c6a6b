/* The stage $bucketAuto: groups documents into a given number of buckets of about the same size. It
 * is compiled into other nodes, in this order:
 *
 * a window that counts all documents, and a sort by groupBy;
 * the node of this file, which gives each document the number of its bucket;
 * a $group, which makes one document of each bucket;
 * a window, which sets a bucket's upper bound to the next bucket's lower bound. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/stage/granularity.h"
#include "engine/local/stage/stage_int.h"

#include <math.h>
#include <stdlib.h>

typedef struct AutoNode {
   MtExecNode n;
   int32_t buckets;
   const MtGranularity *granularity; /* NULL: bounds are values of the documents */
   uint32_t key, total;              /* slots of the sorted value and of the number of documents */
   MtExecVar *number, *least, *most; /* the bucket's number, and its bounds so far */
} AutoNode;

typedef struct AutoState {
   int64_t number, count, size; /* of the current bucket; `size`: documents that it should have */
   MtArena *arenas[2], *spare;  /* of `least`, of `last`, and of the value after `last` */
   MtVal least, last;
} AutoState;

/* ---- the value to sort by ---- */

/* Wraps an array or a document in a document {v: value}, so that $sort compares it as a whole.
 * Without the wrapper, $sort would compare only one element of an array. Documents are wrapped,
 * too, because they must still sort before arrays. A missing value becomes null. */
static bool whole_value (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtStr key = MT_STR ("v");
   *out = args[0].type == MT_MISSING ? mt_v_null () : args[0];
   return (out->type != MT_ARRAY && out->type != MT_DOC) ||
          mt_v_make_doc (ev->arena, &key, args, 1, out, ev->err);
}

static const MtOpRow whole_row = {"$_mtWhole",
                                  1,
                                  1,
                                  NULL,
                                  0,
                                  whole_value,
                                  "a value that sorts as a whole",
                                  "{\"$_mtWhole\": 1} => 1",
                                  NULL};

static MtVal value_of (MtVal key) { return key.type == MT_DOC ? mt_doc_field (key, "v") : key; }

/* ---- numbering the buckets ---- */

static void auto_drop (const MtExecNode *n, MtWork *w)
{
   AutoState *st = w->state[n->id];
   mt_arena_free (st->arenas[0]);
   mt_arena_free (st->arenas[1]);
   mt_arena_free (st->spare);
   free (st);
   w->state[n->id] = NULL;
}

static AutoState *state_of (const AutoNode *a, MtWork *w)
{
   AutoState *st = w->state[a->n.id];
   if (st)
      return st;
   w->state[a->n.id] = st = mt_x_calloc (1, sizeof *st);
   st->arenas[0] = mt_arena_new ("buckets", NULL);
   st->arenas[1] = mt_arena_new ("buckets", NULL);
   st->spare = mt_arena_new ("buckets", NULL);
   double size = round ((double) w->slots[a->total].i / a->buckets);
   st->size = size < 1 ? 1 : (int64_t) size;
   return st;
}

static bool check_number (MtWork *w, MtVal v)
{
   const char *wrong = NULL;
   if (v.type == MT_DECIMAL)
      return mt_error (&w->err, MT_E_FEATURE, "$bucketAuto with a granularity takes no decimals");
   if (!mt_is_number (v))
      return mt_error_coded (
         &w->err, MT_E_PARAMETER, 40258,
         "$bucketAuto can specify a 'granularity' with numeric boundaries only, but "
         "found a value with type: %s",
         mt_v_type_name (v));
   double d = mt_op_double (v);
   if (isnan (d) || isinf (d))
      wrong = "numeric boundaries only, but found NaN or infinity";
   else if (d < 0)
      wrong = "non-negative numbers only, but found a negative number";
   return !wrong || mt_error_coded (&w->err, MT_E_PARAMETER, 40260,
                                    "$bucketAuto can specify a 'granularity' with %s", wrong);
}

/* Returns the upper bound of a bucket whose greatest value is v: the next number of the
 * granularity's series, or v itself without a granularity. */
static MtVal upper (const AutoNode *a, MtVal v)
{
   double d = a->granularity ? mt_op_double (v) : 0;
   return d == 0 ? v : mt_v_double (mt_granularity_up (a->granularity, d));
}

static MtVal lower (const AutoNode *a, MtVal v)
{
   double d = a->granularity ? mt_op_double (v) : 0;
   return d == 0 ? v : mt_v_double (mt_granularity_down (a->granularity, d));
}

/* Returns whether the value v belongs to the current bucket: the bucket is not full, or is the last
 * one, or v lies below its upper bound (without a granularity: equals its last value). */
static bool joins (const AutoNode *a, const AutoState *st, MtVal v)
{
   if (!st->number)
      return false;
   if (st->count < st->size || st->number == a->buckets)
      return true;
   int sign = mt_x_compare (upper (a, st->last), v);
   return a->granularity ? sign > 0 : sign == 0;
}

/* Returns the lower bound of a new bucket whose least value is v. With a granularity it is the
 * upper bound of the preceding bucket, if there is one and its last value is not 0. Otherwise it is
 * v rounded down to the granularity's series. */
static MtVal first_bound (const AutoNode *a, const AutoState *st, MtVal v)
{
   if (!st->number || !a->granularity || mt_op_double (st->last) == 0)
      return lower (a, v);
   return upper (a, st->last);
}

static void keep_last (AutoState *st, MtVal v)
{
   MtArena *old = st->arenas[1];
   mt_arena_reset (st->spare);
   st->last = mt_x_own (st->spare, v);
   st->arenas[1] = st->spare;
   st->spare = old;
}

static MtFlow auto_push (const MtExecNode *n, MtWork *w)
{
   const AutoNode *a = (const AutoNode *) n;
   AutoState *st = state_of (a, w);
   MtVal v = value_of (w->slots[a->key]);
   w->count[n->id].in++;
   if (a->granularity && !check_number (w, v))
      return MT_FAIL;
   if (!joins (a, st, v)) {
      MtVal least = first_bound (a, st, v);
      mt_arena_reset (st->arenas[0]);
      st->least = mt_x_own (st->arenas[0], least);
      st->number++;
      st->count = 0;
   }
   st->count++;
   if (st->count == 1 || mt_x_compare (st->last, v) != 0)
      keep_last (st, v);
   /* Copy the lower bound into the rows' arena, because the next node may keep the value until that
    * arena is reset. */
   w->slots[a->number->slot] = mt_v_int64 (st->number);
   w->slots[a->least->slot] = mt_x_own (w->arena, st->least);
   w->slots[a->most->slot] = upper (a, v);
   return mt_next (n, w);
}

/* ---- compiling ---- */

static MtBson begin (MtCompile *c)
{
   MtBson b = {.arena = c->arena};
   mt_bson_begin (&b);
   return b;
}

static MtVal ended (MtBson *b)
{
   mt_bson_end (b, 0);
   return mt_bson_part (b, 0, MT_DOC);
}

static void in_scope (MtCompile *c, const char *name, MtExecVar *var)
{
   MtExecScope *s = MT_NEW (c->arena, MtExecScope);
   *s = (MtExecScope) {name, mt_shape_var (c, var), c->scope};
   c->scope = s;
}

/* Appends to the compiled pipeline a count over all documents, a sort by groupBy, and the node that
 * numbers the buckets. */
static bool number_buckets (MtCompile *c, MtVal by, const AutoNode *plan)
{
   MtWindowOrder order = {0};
   MtWindowOutput *counted;
   uint32_t count;
   MtBson b = begin (c);
   mt_bson_printf (&b, "n: {$sum: 1}");
   if (!mt_window_outputs (c, &order, ended (&b), &counted, &count))
      return false;
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 1);
   e->row = &whole_row;
   if (!(e->args[0] = mt_expr_parse (c, by)))
      return false;
   MtShape *key = mt_shape_expr (c, e, c->root);
   MtSorting s = mt_sorting_begin (c);
   mt_sorting_add (c, &s, "v", key, mt_v_int32 (1));
   if (!mt_sorting_end (c, &s))
      return false;
   int pos = (int) c->node_count;
   uint32_t key_slot = mt_shape_slot (c, key, pos),
            total = mt_shape_slot (c, mt_shape_var (c, counted[0].var), pos);
   AutoNode *a = (AutoNode *) mt_node_new (c, sizeof *a, NULL, auto_push);
   a->n.serial = true;
   a->n.drop = auto_drop;
   a->buckets = plan->buckets;
   a->granularity = plan->granularity;
   a->key = key_slot;
   a->total = total;
   in_scope (c, "_mtNumber", a->number = mt_var_new (c, a->n.pos, false));
   in_scope (c, "_mtLeast", a->least = mt_var_new (c, a->n.pos, false));
   in_scope (c, "_mtMost", a->most = mt_var_new (c, a->n.pos, false));
   return key_slot != MT_NO_SLOT && total != MT_NO_SLOT && !c->failed;
}

static bool gather (MtCompile *c, MtVal output)
{
   MtBson b = begin (c);
   MtDocIter it = mt_doc_iter (output);
   MtStr key;
   MtVal v;
   mt_bson_printf (&b, "_id: '$$_mtNumber', _mtLeast: {$first: '$$_mtLeast'}, "
                       "_mtMost: {$last: '$$_mtMost'}");
   if (output.type == MT_MISSING)
      mt_bson_printf (&b, "count: {$sum: 1}");
   while (mt_doc_next (&it, &key, &v))
      mt_bson_add (&b, key.p, key.n, v);
   return mt_stage_group (c, ended (&b)) && mt_memory_check (c->err);
}

/* Appends stages that sort the buckets by number, and replace the number in _id by {min, max}. */
static bool put_bounds (MtCompile *c)
{
   static const char *const made[] = {"_mtLeast", "_mtMost", "_mtNext"};
   MtBson windows = begin (c), fields = begin (c), names = begin (c);
   mt_bson_printf (&windows, "sortBy: {_id: 1}, "
                             "output: {_mtNext: {$shift: {output: ['$_mtLeast'], by: 1}}}");
   mt_bson_printf (&fields, "_id: {$mergeObjects: [{min: '$_mtLeast', max: {$cond: [{$isArray: "
                            "['$_mtNext']}, {$arrayElemAt: ['$_mtNext', 0]}, '$_mtMost']}}]}");
   for (uint32_t i = 0; i < sizeof made / sizeof *made; i++)
      mt_bson_put_at (&names, i, mt_v_cstr (made[i]));
   mt_bson_end (&names, 0);
   return mt_stage_set_window_fields (c, ended (&windows)) &&
          mt_stage_add_fields (c, ended (&fields)) &&
          mt_stage_unset (c, mt_bson_part (&names, 0, MT_ARRAY)) && mt_memory_check (c->err);
}

static bool parse_options (MtCompile *c, MtVal spec, AutoNode *plan)
{
   MtVal buckets = mt_doc_field (spec, "buckets"), output = mt_doc_field (spec, "output"),
         rounding = mt_doc_field (spec, "granularity");
   if (mt_doc_field (spec, "groupBy").type == MT_MISSING || buckets.type == MT_MISSING)
      return mt_bad (c, 40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
   if (!mt_is_number (buckets))
      return mt_bad (c, 40241,
                     "the $bucketAuto 'buckets' field must be a numeric value, but found type: %s",
                     mt_v_type_name (buckets));
   if (!mt_op_whole32 (buckets, &plan->buckets))
      return mt_bad (c, 40242,
                     "the $bucketAuto 'buckets' field must be representable as a 32-bit integer");
   if (plan->buckets <= 0)
      return mt_bad (c, 40243,
                     "the $bucketAuto 'buckets' field must be greater than 0, but found: %d",
                     plan->buckets);
   if (output.type != MT_MISSING && output.type != MT_DOC)
      return mt_bad (c, 40244,
                     "the $bucketAuto 'output' field must be an object, but found type: %s",
                     mt_v_type_name (output));
   if (rounding.type == MT_MISSING)
      return true;
   if (rounding.type != MT_STRING)
      return mt_bad (c, 40261,
                     "the $bucketAuto 'granularity' field must be a string, but found type: %s",
                     mt_v_type_name (rounding));
   plan->granularity = mt_granularity ((MtStr) {(const char *) rounding.p, rounding.len});
   return plan->granularity ||
          mt_bad (c, 40257, "unknown rounding granularity '%.*s'",
                  (int) (rounding.len > 60 ? 60 : rounding.len), (const char *) rounding.p);
}

bool mt_stage_bucket_auto (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"groupBy", "buckets", "output", "granularity", NULL};
   AutoNode plan = {0};
   if (!mt_stage_fields (c, spec, names, 40240, 40245) || !parse_options (c, spec, &plan))
      return false;
   MtVal by = mt_doc_field (spec, "groupBy");
   bool path = by.type == MT_STRING && by.len && by.p[0] == '$';
   if (!path && by.type != MT_DOC)
      return mt_bad (c, 40239,
                     "the $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an "
                     "expression object");
   return number_buckets (c, by, &plan) && gather (c, mt_doc_field (spec, "output")) &&
          put_bounds (c);
}
