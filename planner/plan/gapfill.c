#include "planner/plan/gapfill.h"

#include "functions/agg.h"
#include "functions/words.h"
#include "query/comparison.h"
#include "query/function.h"
#include "query/x.h"

#include <string.h>

/* Gap filling takes groups by time buckets. First, groups are collected to series: one document for
 * each value of the other keys, with an array of rows sorted by time: [time, {a0: …, f0: …}]. The
 * stage $_mtGapfill inserts rows. Then $unwind makes a document of each row again: {_id: {k1: …},
 * r: {t: …, a0: …, f0: …}}. */

#define ARGS 10 /* number of arguments of $_mtGapfill */

typedef struct Filling {
   MtArena *a;
   MtEmit *emit;
   const MtQuery *q;
   const MtGapfill *g;
   MtPipe *pipe;
   MtError *err;
} Filling;

static bool wrong (Filling *f, const char *what)
{
   mt_error (f->err, MT_E_PARAMETER, "%s", what);
   return mt_error_hint (f->err, "Specify start and finish as arguments or in the WHERE clause.");
}

/* ---- the time range to fill ---- */

typedef struct Range {
   int64_t start, finish;
   bool has_start, has_finish;
} Range;

/* Returns whether x is the time argument of time_bucket_gapfill, perhaps cast to a wider integer
 * type. */
static bool is_ts (const Filling *f, const MtX *x)
{
   while (x->kind == MT_X_CALL && (x->call.fn->flags & MT_F_CAST) &&
          mt_type_is_integer (x->type.id) && mt_type_is_integer (x->call.args[0]->type.id))
      x = x->call.args[0];
   return mt_x_equal (x, f->g->ts);
}

/* Returns the least difference of two times: a day for dates, else 1. */
static int64_t step_of (const Filling *f) { return f->g->ts->type.id == MT_T_DATE ? 86400000 : 1; }

/* If x compares the time with a constant, restricts the bucket range *r accordingly. */
static void bound_by (const Filling *f, const MtX *x, Range *r)
{
   MtAgainst is;
   if (!mt_x_against (x, &is) || mt_is_nullish (is.constant->value) || !is_ts (f, is.x))
      return;
   int64_t v = is.constant->value.i, step = step_of (f);
   bool starts = mt_cmp_is_greater (is.op), ends = mt_cmp_is_less (is.op);
   if ((is.op == MT_CMP_GT || is.op == MT_CMP_LE) && v < INT64_MAX)
      v += step;
   if (starts && (!r->has_start || v > r->start)) {
      r->start = v;
      r->has_start = true;
   }
   if (ends && (!r->has_finish || v < r->finish)) {
      r->finish = v;
      r->has_finish = true;
   }
}

static void bounds_in (const Filling *f, const MtX *x, Range *r)
{
   if (!x)
      return;
   for (int i = 0; x->kind == MT_X_AND && i < x->count; i++)
      bounds_in (f, x->list[i], r);
   bound_by (f, x, r);
}

static bool given (Filling *f, const MtX *x, const char *name, int64_t *out, bool *has)
{
   if (!x || (x->kind == MT_X_CONST && mt_is_nullish (x->value)))
      return true;
   if (x->kind != MT_X_CONST)
      return wrong (
         f, mt_printf (f->a, "invalid time_bucket_gapfill argument: %s must be a simple expression",
                       name));
   *out = x->value.i;
   *has = true;
   return true;
}

/* Completes the range of buckets from the rows: it begins with the first row if g->from_first. If
 * g->to_last, it ends just after the last row, so that the row's bucket is included. Without rows
 * the range is not used. */
static void range_of_rows (const Filling *f, Range *r)
{
   r->has_start |= f->g->from_first;
   if (f->g->to_last && r->has_finish && r->finish < INT64_MAX)
      r->finish += step_of (f);
   r->has_finish |= f->g->to_last;
}

static bool range_of (Filling *f, Range *r)
{
   *r = (Range) {0};
   if (!f->g->from_first && !f->g->to_last)
      bounds_in (f, f->g->where, r);
   if (!given (f, f->g->start, "start", &r->start, &r->has_start) ||
       !given (f, f->g->finish, "finish", &r->finish, &r->has_finish))
      return false;
   range_of_rows (f, r);
   if (r->has_start && r->has_finish)
      return true;
   if (f->g->ts->kind != MT_X_COLUMN)
      return wrong (
         f,
         "invalid time_bucket_gapfill argument: ts needs to refer to a single column if no start "
         "or finish is supplied");
   return wrong (
      f, r->has_start
            ? "missing time_bucket_gapfill argument: could not infer finish from WHERE clause"
            : "missing time_bucket_gapfill argument: could not infer start from WHERE clause");
}

/* ---- stages ---- */

static const char *numbered (MtArena *a, char letter, int i)
{
   return mt_printf (a, "%c%d", letter, i);
}

/* Returns whether group key i is stored in a field of its own, because _id has only its rank. Equal
 * keys can have several forms ('1 day', '24 hours'), of which the first is kept. */
static bool stands_beside (const Filling *f, int i)
{
   return i != f->g->key && mt_type_has_rank (f->q->keys[i]->type.id);
}

static bool key_of_series (Filling *f, const MtX *key, bson_t *project, bson_t *id)
{
   const char *name = numbered (f->a, 'k', key->index);
   bson_t *value = mt_doc_new (f->a);
   if (!stands_beside (f, key->index))
      return mt_emit_value (f->emit, key, id, name);
   if (!mt_emit_value (f->emit, key, value, ""))
      return false;
   mt_doc_add (project, name, mt_doc_value (value));
   mt_doc_add (id, name, mt_doc_value (mt_rank_of (f->a, key->type.id, value)));
   return true;
}

/* Appends a $project to {_id: {k1: …}, t: …, v: {a0: …, f0: …}}: the other keys, the time, and the
 * values of each group. */
static bool rows_of_groups (Filling *f)
{
   MtArena *a = f->a;
   bson_t *project = mt_doc_new (a), *id = mt_doc_new (a), *v = mt_doc_new (a);
   for (int i = 0; i < f->q->key_count; i++) {
      MtX key = {.kind = MT_X_KEY, .type = f->q->keys[i]->type, .nullable = true, .index = i};
      if (!(i == f->g->key ? mt_emit_value (f->emit, &key, project, "t")
                           : key_of_series (f, &key, project, id)))
         return false;
   }
   for (int i = 0; i < f->q->agg_count; i++) {
      MtX agg = {.kind = MT_X_AGG, .type = f->q->aggs[i].type, .nullable = true, .index = i};
      if (!mt_emit_value (f->emit, &agg, v, numbered (a, 'a', i)))
         return false;
   }
   for (int i = 0; i < f->g->fill_count; i++)
      if (!mt_emit_value (f->emit, f->g->fills[i].value, v, numbered (a, 'f', i)))
         return false;
   if (f->q->key_count > 1)
      mt_doc_add_doc (project, "_id", id);
   else
      mt_doc_add (project, "_id", mt_v_null ());
   if (bson_empty (v))
      mt_doc_add (v, "a", mt_v_null ());
   mt_doc_add_doc (project, "v", v);
   mt_pipe_add (f->pipe, "$project", project);
   return true;
}

/* Returns whether a server can fill the gaps: the times are never NULL, and all values that fill
 * gaps come from rows. */
static bool can_list (const Filling *f)
{
   bool bounded = f->g->where && !f->g->start && !f->g->finish; /* from WHERE, so never NULL */
   bool can = f->emit->lists && !f->g->from_first && !f->g->to_last &&
              (bounded || !f->q->keys[f->g->key]->nullable);
   for (int i = 0; i < f->g->fill_count; i++) {
      const MtFill *fill = &f->g->fills[i];
      can = can && !fill->prev && !fill->prev_time && !fill->next && !fill->next_time;
   }
   return can;
}

/* Returns the accumulator that collects the rows of a series unsorted, as documents {t: time, v:
 * fields}, for mt_gapfill_words. */
static bson_t *listed_rows (MtArena *a)
{
   bson_t *row = mt_doc_new (a), *rows = mt_doc_new (a);
   mt_doc_add_path (a, row, "t", "t");
   mt_doc_add_path (a, row, "v", "v");
   mt_doc_add_doc (rows, "$push", row);
   return rows;
}

static bson_t *sorted_rows (MtArena *a)
{
   bson_t *sorted = mt_doc_new (a), *input = mt_doc_new (a), *key = mt_doc_new (a),
          *order = mt_doc_new (a), *rows = mt_doc_new (a);
   mt_doc_add_path (a, input, "0", "t");
   mt_doc_add_path (a, input, "1", "v");
   mt_doc_add_int (key, "at", 0);
   mt_doc_add (key, "down", mt_v_bool (false));
   mt_doc_add (key, "nulls", mt_v_bool (true));
   mt_doc_add_doc (order, "0", key);
   mt_doc_add_array (sorted, "input", input);
   mt_doc_add_array (sorted, "order", order);
   mt_doc_add_text (sorted, "take", "all");
   mt_doc_add_doc (rows, "$_mtSorted", sorted);
   return rows;
}

static void series (Filling *f, bool listed)
{
   MtArena *a = f->a;
   bson_t *group = mt_doc_new (a);
   mt_doc_add_path (a, group, "_id", "_id");
   mt_doc_add_doc (group, "rows", listed ? listed_rows (a) : sorted_rows (a));
   for (int i = 0; i < f->q->key_count; i++)
      if (stands_beside (f, i)) {
         bson_t *first = mt_doc_new (a);
         mt_doc_add_path (a, first, "$first", numbered (a, 'k', i));
         mt_doc_add_doc (group, numbered (a, 'k', i), first);
      }
   mt_pipe_add (f->pipe, "$group", group);
}

/* Appends stages for a query that groups only by time: they add its one series if there are no
 * rows. Not needed if the range depends on the rows. */
static void one_series (Filling *f)
{
   MtArena *a = f->a;
   bson_t *limit = mt_doc_new (a), *stages = mt_doc_new (a), *facet = mt_doc_new (a),
          *root = mt_doc_new (a), *none = mt_doc_new (a), *empty = mt_doc_new (a);
   mt_doc_add_int (limit, "$limit", 1);
   mt_doc_add_doc (stages, "0", limit);
   mt_doc_add_array (facet, "g", stages);
   mt_pipe_add (f->pipe, "$facet", facet);
   mt_doc_add (empty, "_id", mt_v_null ());
   mt_doc_add_array (empty, "rows", mt_doc_new (a));
   mt_doc_add_doc (none, "", empty);
   const bson_t *first = mt_mql_op (a, "$arrayElemAt", mt_mql_path (a, "g"), mt_mql_int (a, 0),
                                    NULL);
   mt_doc_add (root, "newRoot", mt_doc_value (mt_mql_op (a, "$ifNull", first, none, NULL)));
   mt_pipe_add (f->pipe, "$replaceRoot", root);
}

/* Returns an array with an element for each locf and interpolate: [field, "locf" or the type to
 * interpolate in, whether a NULL is a gap]. */
static MtVal fills_spec (Filling *f)
{
   bson_t *list = mt_doc_new (f->a);
   for (int i = 0; i < f->g->fill_count; i++) {
      const MtFill *fill = &f->g->fills[i];
      bson_t *one = mt_doc_new (f->a);
      const char *name = numbered (f->a, 'f', i),
                 *how = fill->linear ? mt_type_handle (fill->value->type.id) : "locf";
      mt_doc_add_text (one, "0", name);
      mt_doc_add_text (one, "1", how);
      mt_doc_add (one, "2", mt_v_bool (fill->nulls_too));
      mt_doc_add_array (list, mt_printf (f->a, "%d", i), one);
   }
   return mt_v_array (list);
}

/* Appends x, or NULL if x is NULL, to `list` under `name`. */
static bool edge_value (Filling *f, const MtX *x, bson_t *list, const char *name)
{
   if (x)
      return mt_emit_value (f->emit, x, list, name);
   mt_doc_add (list, name, mt_v_null ());
   return true;
}

/* Appends, for an interpolation, [time before, value before, time after, value after] the range. */
static bool edges_of (Filling *f, const MtFill *fill, bson_t *list, const char *name)
{
   const MtX *parts[] = {fill->prev_time, fill->prev, fill->next_time, fill->next};
   bson_t *edges = mt_doc_new (f->a);
   for (int i = 0; i < 4; i++)
      if (!edge_value (f, parts[i], edges, mt_printf (f->a, "%d", i)))
         return false;
   mt_doc_add_array (list, name, edges);
   return true;
}

/* Sets *out to an array with, for each fill, the expression for its value before the first row and
 * after the last row. */
static bool before_spec (Filling *f, const bson_t **out)
{
   bson_t *list = mt_doc_new (f->a);
   for (int i = 0; i < f->g->fill_count; i++) {
      const MtFill *fill = &f->g->fills[i];
      const char *name = mt_printf (f->a, "%d", i);
      bool records = fill->prev_time || fill->next_time;
      if (!(records ? edges_of (f, fill, list, name) : edge_value (f, fill->prev, list, name)))
         return false;
   }
   *out = mt_doc_of (f->a, mt_v_array (list));
   return true;
}

static bool constant (Filling *f, const MtX *x, const char *name, MtVal *out)
{
   if (x->kind != MT_X_CONST)
      return wrong (
         f, mt_printf (f->a, "invalid time_bucket_gapfill argument: %s must be a simple expression",
                       name));
   if (mt_is_nullish (x->value))
      return wrong (f, mt_printf (f->a, "invalid time_bucket_gapfill argument: %s cannot be NULL",
                                  name));
   *out = x->value;
   return true;
}

/* Computes the constant argument x; NULL if it is not given or NULL. */
static bool optional (Filling *f, const MtX *x, const char *name, MtVal *out)
{
   *out = mt_v_null ();
   return !x || (x->kind == MT_X_CONST && mt_is_nullish (x->value)) || constant (f, x, name, out);
}

/* Computes the arguments of $_mtGapfill after the first, which is the rows. */
static bool read_args (Filling *f, MtVal args[ARGS])
{
   Range range;
   args[1] = mt_v_cstr (mt_type_handle (f->g->ts->type.id));
   args[3] = args[7] = mt_v_null ();
   if (!constant (f, f->g->width, "bucket_width", &args[2]) ||
       (f->g->zone && !constant (f, f->g->zone, "timezone", &args[3])) ||
       !optional (f, f->g->origin, "origin", &args[8]) ||
       !optional (f, f->g->offset, "offset", &args[9]) || !range_of (f, &range))
      return false;
   args[4] = mt_v_int64 (range.start);
   args[5] = mt_v_int64 (range.finish);
   args[6] = fills_spec (f);
   return true;
}

static const bson_t *own_operator (Filling *f, const MtVal args[ARGS])
{
   MtArena *a = f->a;
   const bson_t *of[ARGS] = {mt_mql_path (a, "rows"), mt_doc_of (a, args[1])};
   bool shifted = !mt_is_nullish (args[8]) || !mt_is_nullish (args[9]);
   bson_t *list = mt_doc_new (a), *call = mt_doc_new (a);
   for (int i = 2; i < ARGS; i++)
      of[i] = mt_mql_const (a, args[i]);
   if (!before_spec (f, &of[7]))
      return NULL;
   for (int i = 0; i < (shifted ? ARGS : 8); i++)
      mt_doc_push (list, mt_doc_value (of[i]));
   mt_doc_add_array (call, "$_mtGapfill", list);
   return mt_doc_of (a, mt_v_doc (call));
}

/* Appends the stages that insert rows. r: the expression for the array of a series' rows with the
 * inserted ones. */
static void fill (Filling *f, const bson_t *r)
{
   MtArena *a = f->a;
   bson_t *project = mt_doc_new (a), *unwind = mt_doc_new (a);
   mt_doc_add (project, "r", mt_doc_value (r));
   for (int i = 0; i < f->q->key_count; i++)
      if (stands_beside (f, i))
         mt_doc_add_path (a, project, numbered (a, 'k', i), numbered (a, 'k', i));
   mt_pipe_add (f->pipe, "$project", project);
   mt_doc_add_text (unwind, "path", "$r");
   mt_pipe_add (f->pipe, "$unwind", unwind);
}

bool mt_gapfill_emit (MtEmit *emit, const MtQuery *q, MtPipe *pipe)
{
   MtArena *a = emit->a;
   Filling f = {a, emit, q, q->gapfill, pipe, emit->err};
   int fields = q->agg_count + q->gapfill->fill_count;
   MtVal args[ARGS] = {mt_v_missing ()};
   if (!rows_of_groups (&f) || !read_args (&f, args))
      return false;
   const bson_t *words = can_list (&f) ? mt_gapfill_words (a, args) : NULL,
                *filled = words ? words : own_operator (&f, args);
   if (!filled)
      return false;
   series (&f, words != NULL);
   if (q->key_count == 1 && !q->gapfill->from_first && !q->gapfill->to_last)
      one_series (&f);
   MtPlace *keys = MT_NEW_N (a, MtPlace, (size_t) q->key_count + 1);
   MtPlace *aggs = MT_NEW_N (a, MtPlace, (size_t) fields + 1);
   for (int i = 0; i < q->key_count; i++)
      keys[i] = (MtPlace) {.path = i == q->gapfill->key
                                      ? "r.t"
                                      : mt_printf (a, stands_beside (&f, i) ? "k%d" : "_id.k%d", i),
                           .nullable = q->keys[i]->nullable,
                           .can_match = true};
   for (int i = 0; i < fields; i++) {
      const char *field = i < q->agg_count ? numbered (a, 'a', i)
                                           : numbered (a, 'f', i - q->agg_count);
      aggs[i] = (MtPlace) {.path = mt_printf (a, "r.%s", field),
                           .may_be_missing = true,
                           .nullable = true,
                           .can_match = true};
   }
   emit->keys = keys;
   emit->aggs = aggs;
   fill (&f, filled);
   return true;
}
