/* SAMPLE BY. The query is grouped by time_bucket of FROM's TIME column, and by the other
 * select-list items without aggregates. Outside of aggregates, the TIME column means the start of
 * its bucket. With FILL, the time key becomes a time_bucket_gapfill, and each aggregate of the
 * select list becomes an argument of locf, interpolate or COALESCE. */
#include "analyze/calls/call.h"
#include "analyze/group/blocks.h"
#include "analyze/group/order.h"
#include "analyze/names/names.h"
#include "analyze/names/time_column.h"
#include "analyze/types/coerce.h"
#include "query/comparison.h"
#include "query/condition.h"
#include "query/window.h"
#include "types/datetime.h"

#include <string.h>

typedef struct Sampling {
   MtBinder *b;
   const MtSelect *select;
   const MtSampleBy *by;
   MtQuery *q;
   MtX *time;   /* the TIME column of the table in FROM */
   MtX *bucket; /* the time bucket of `time` */
   MtX *width, *zone, *origin, *offset;
   MtX *from, *to;           /* the bounds FROM and TO; NULL: not given */
   const MtSampleFill *fill; /* the FILL value of the next aggregate; NULL: none is left */
   int aggregates;           /* the number of aggregates that have got their FILL value */
} Sampling;

/* ---- the TIME column ---- */

static bool find_time (Sampling *s)
{
   MtTimeUse use = {"SAMPLE BY", "in FROM",
                    "Declare a column of the table as TIME, or use GROUP BY time_bucket ('1 hour', "
                    "column).",
                    s->by->span};
   return mt_find_time (s->b, &s->q->rel, &use, &s->time);
}

/* ---- constants in SAMPLE BY ---- */

/* Analyzes expression e of the clause SAMPLE BY, which must have no columns. If e is NULL, sets
 * *out to NULL. */
static bool bind_constant (Sampling *s, const MtExpr *e, MtX **out)
{
   MtScope scope = {.clause = MT_CLAUSE_SAMPLE};
   *out = NULL;
   return !e || mt_bind_x (s->b, &scope, e, out);
}

static bool bind_as (Sampling *s, const MtExpr *e, MtTypeId type, MtX **out)
{
   return bind_constant (s, e, out) &&
          (!*out || mt_coerce (s->b, *out, mt_type (type), MT_COERCE_IMPLICIT, out));
}

/* Analyzes a bound of FROM … TO in SAMPLE BY. If SAMPLE BY has a TIME ZONE, a bound without a zone
 * is a local time there. */
static bool bind_bound (Sampling *s, const MtExpr *e, MtX **out)
{
   if (!bind_constant (s, e, out) || !*out)
      return !e;
   MtTypeId type = (*out)->type.id;
   if (s->zone && (type == MT_T_UNKNOWN || type == MT_T_TIMESTAMP || type == MT_T_DATE)) {
      MtX **args = MT_NEW_N (s->b->a, MtX *, 2);
      args[0] = s->zone;
      if (!mt_coerce (s->b, *out, mt_type (MT_T_TIMESTAMP), MT_COERCE_IMPLICIT, &args[1]) ||
          !mt_bind_function (s->b, "timezone", e->span, args, 2, out))
         return false;
   }
   return mt_coerce (s->b, *out, s->time->type, MT_COERCE_ASSIGN, out);
}

/* Makes a sub-select that computes min or max (`aggregate`) of the TIME column over the rows before
 * grouping. */
static bool bind_edge (Sampling *s, const char *aggregate, MtX **out)
{
   MtArena *a = s->b->a;
   const MtRel *rel = &s->q->rel;
   const char *table = mt_column_table (rel, s->time->column),
              *name = rel->columns[s->time->column].name;
   MtSpan span = s->by->span;
   MtExpr *column = MT_NEW (a, MtExpr), *call = MT_NEW (a, MtExpr), *sub = MT_NEW (a, MtExpr);
   MtNameList *parts = MT_NEW_N (a, MtNameList, 3);
   parts[0] = (MtNameList) {{table, true, span}, &parts[1]};
   parts[1] = (MtNameList) {{name, true, span}, NULL};
   parts[2] = (MtNameList) {{aggregate, false, span}, NULL};
   *column = (MtExpr) {.kind = MT_EXPR_COLUMN, .span = span, .outer = span, .depth = 1};
   column->column.parts = table ? parts : &parts[1];
   *call = (MtExpr) {.kind = MT_EXPR_CALL, .span = span, .outer = span, .depth = 2};
   call->call.name = &parts[2];
   call->call.args = MT_NEW (a, MtExprList);
   call->call.args->expr = column;
   MtSelect *select = MT_NEW (a, MtSelect);
   *select = (MtSelect) {.kind = MT_SELECT_PLAIN, .span = span, .depth = s->select->depth};
   select->plain.from = s->select->plain.from;
   select->plain.where = s->select->plain.where;
   select->plain.targets = MT_NEW (a, MtTarget);
   select->plain.targets->expr = call;
   *sub = (MtExpr) {.kind = MT_EXPR_SUBQUERY, .span = span, .outer = span, .depth = select->depth};
   sub->subquery = select;
   bool expands = s->b->expands;
   s->b->expands = true; /* FROM is analyzed a second time, in the sub-select */
   bool ok = bind_constant (s, sub, out);
   s->b->expands = expands;
   return ok;
}

static bool has_months (const MtX *x)
{
   return x->kind == MT_X_CONST && x->type.id == MT_T_INTERVAL && !mt_is_nullish (x->value) &&
          mt_v_to_interval (x->value).months;
}

static bool bind_origin (Sampling *s)
{
   MtSpan span = s->by->span;
   if (!s->by->first_observation)
      return true;
   if (has_months (s->width)) {
      mt_refuse (s->b, s->by->width->span,
                 "ALIGN TO FIRST OBSERVATION with a width of months or years is");
      return mt_error_hint (s->b->err, "Use ALIGN TO CALENDAR, or a width of days or less.");
   }
   if (s->from || s->to) {
      mt_refuse (s->b, span, "FROM … TO with ALIGN TO FIRST OBSERVATION is");
      return mt_error_hint (s->b->err, "Use ALIGN TO CALENDAR, or bounds in WHERE.");
   }
   return bind_edge (s, "min", &s->origin);
}

static bool bind_clause (Sampling *s)
{
   const MtSampleBy *by = s->by;
   if (!bind_as (s, by->width, MT_T_INTERVAL, &s->width) ||
       !bind_as (s, by->zone, MT_T_TEXT, &s->zone) ||
       !bind_as (s, by->offset, MT_T_INTERVAL, &s->offset))
      return false;
   if (s->zone && s->time->type.id != MT_T_TIMESTAMPTZ)
      return mt_error_at (s->b->err, by->zone->span, MT_E_DATATYPE_MISMATCH,
                          "TIME ZONE needs a TIME column of type timestamp with time zone, not %s",
                          mt_type_display (s->b->a, s->time->type));
   return bind_bound (s, by->from, &s->from) && bind_bound (s, by->to, &s->to) && bind_origin (s);
}

/* Makes the call time_bucket (width, x [, timezone] [, origin] [, offset]) with the parameters of
 * SAMPLE BY. */
static bool bucket_of (Sampling *s, MtX *x, MtX **out)
{
   MtX **args = MT_NEW_N (s->b->a, MtX *, 5);
   int n = 0;
   args[n++] = s->width;
   args[n++] = x;
   if (s->zone)
      args[n++] = s->zone;
   if (s->zone && s->offset)
      args[n++] = mt_x_null (s->b->a, x->type, x->span);
   if (s->origin)
      args[n++] = s->origin;
   if (s->offset)
      args[n++] = s->offset;
   return mt_bind_function (s->b, "time_bucket", s->by->width->span, args, n, out);
}

/* ---- FROM … TO ---- */

/* Returns whether the condition x limits the TIME column: from below if `lower`, otherwise from
 * above. */
static bool bounds (const Sampling *s, const MtX *x, bool lower)
{
   MtCmp op = mt_x_cmp (x);
   if (op == MT_CMP_NONE || op == MT_CMP_NE)
      return false;
   bool straight = mt_x_equal (x->call.args[0], s->time);
   if (!straight && !mt_x_equal (x->call.args[1], s->time))
      return false;
   if (mt_has_columns (x->call.args[straight]))
      return false;
   op = straight ? op : mt_cmp_swapped (op);
   return op == MT_CMP_EQ || (lower ? mt_cmp_is_greater (op) : mt_cmp_is_less (op));
}

/* Adds a condition for one bound of FROM … TO. It filters rows in WHERE. If WHERE already limits
 * the time on this side, the condition filters buckets in HAVING instead. */
static bool restrict_to (Sampling *s, MtX *bound, bool lower)
{
   int n;
   bool given = false;
   MtX **parts = mt_conjuncts (s->b->a, s->q->where, &n), *x, *edge = bound;
   const char *op = lower ? ">=" : "<";
   for (int i = 0; i < n; i++)
      given |= bounds (s, parts[i], lower);
   if (given && lower && !bucket_of (s, bound, &edge))
      return false;
   if (!mt_bind_operator (s->b, op, bound->span, given ? s->bucket : s->time, edge, &x))
      return false;
   MtX **to = given ? &s->q->having : &s->q->where;
   *to = *to ? mt_x_both (s->b->a, *to, x) : x;
   return true;
}

/* ---- keys and aggregates ---- */

static bool to_bucket (void *ctx, MtX **x)
{
   Sampling *s = ctx;
   if ((*x)->kind == MT_X_COLUMN && (*x)->column == s->time->column) {
      *x = s->bucket;
      return true;
   }
   return mt_x_map_children (s->b, x, to_bucket, s);
}

static bool use_bucket (Sampling *s)
{
   MtQuery *q = s->q;
   return mt_results_each (q, to_bucket, s) && (!q->having || to_bucket (s, &q->having)) &&
          (!q->windows || mt_windows_each (q->windows, to_bucket, s));
}

/* Adds the time bucket to the GROUP BY keys, unless it is a key already. Returns the index of the
 * key. */
static int add_bucket (Sampling *s, MtGroupSet *set)
{
   MtArena *a = s->b->a;
   MtQuery *q = s->q;
   for (int i = 0; i < q->key_count; i++)
      if (mt_x_equal (q->keys[i], s->bucket))
         return i;
   MtX **keys = MT_NEW_N (a, MtX *, (size_t) q->key_count + 1);
   int *list = MT_NEW_N (a, int, (size_t) set->count + 1);
   if (q->key_count)
      memcpy (keys, q->keys, (size_t) q->key_count * sizeof *keys);
   if (set->count)
      memcpy (list, set->keys, (size_t) set->count * sizeof *list);
   keys[q->key_count] = s->bucket;
   list[set->count++] = q->key_count;
   q->keys = keys;
   set->keys = list;
   return q->key_count++;
}

/* Replaces *x by COALESCE (*x, value), for FILL with a value. */
static bool or_value (Sampling *s, const MtExpr *value, MtX **x)
{
   MtX **list = MT_NEW_N (s->b->a, MtX *, 2);
   MtTypeId id;
   list[0] = *x;
   if (!bind_constant (s, value, &list[1]) || !mt_common_type (s->b, list, 2, "FILL", &id))
      return false;
   MtType type = mt_common_modifier (list, 2, id);
   for (int i = 0; i < 2; i++)
      if (!mt_coerce (s->b, list[i], type, MT_COERCE_IMPLICIT, &list[i]))
         return false;
   *x = mt_x_list (s->b->a, MT_X_COALESCE, type, list, 2, (*x)->span);
   return true;
}

/* Wraps each aggregate in *x in the function of its FILL item: locf for PREV, interpolate for
 * LINEAR, COALESCE for a value. */
static bool fill (void *ctx, MtX **x)
{
   Sampling *s = ctx;
   const MtSampleFill *f = s->fill;
   if ((*x)->kind != MT_X_AGG)
      return mt_x_map_children (s->b, x, fill, s);
   s->aggregates++;
   if (!f)
      return true;
   if (s->by->fills->next)
      s->fill = f->next;
   MtX **args = MT_NEW_N (s->b->a, MtX *, 1);
   args[0] = *x;
   switch (f->kind) {
   case MT_FILL_PREV: return mt_bind_function (s->b, "locf", f->span, args, 1, x);
   case MT_FILL_LINEAR: return mt_bind_function (s->b, "interpolate", f->span, args, 1, x);
   case MT_FILL_VALUE: return f->value->kind == MT_EXPR_NULL || or_value (s, f->value, x);
   case MT_FILL_NONE: break;
   }
   return true;
}

static bool fill_all (Sampling *s)
{
   int values = 0;
   s->fill = s->by->fills;
   for (const MtSampleFill *f = s->by->fills; f; f = f->next)
      values++;
   for (int i = 0; i < s->q->visible_count; i++)
      if (!fill (s, &s->q->targets[i].expr))
         return false;
   if (values < 2 || values == s->aggregates)
      return true;
   mt_error_at (s->b->err, s->by->fills->span, MT_E_SYNTAX,
                "FILL has %d values, but the select list has %d aggregates", values, s->aggregates);
   return mt_error_hint (s->b->err, "Give a value for each aggregate, or one for all of them.");
}

/* Sets q->gapfill, which adds rows for the empty buckets: from FROM to TO, or else from the first
 * row's bucket to the last row's. key: the index of the time key. */
static bool add_gaps (Sampling *s, int key)
{
   MtGapfill *g = MT_NEW (s->b->a, MtGapfill);
   *g = (MtGapfill) {.key = key,
                     .width = s->width,
                     .ts = s->time,
                     .zone = s->zone,
                     .origin = s->origin,
                     .offset = s->offset,
                     .start = s->from,
                     .finish = s->to,
                     .from_first = !s->from,
                     .to_last = !s->to};
   s->q->gapfill = g;
   return (s->from || bind_edge (s, "min", &g->start)) &&
          (s->to || bind_edge (s, "max", &g->finish)) && fill_all (s);
}

static void sort_by_bucket (Sampling *s)
{
   MtQuery *q = s->q;
   if (s->select->order || q->distinct || q->on_count)
      return;
   MtX *x = s->bucket;
   for (int i = 0; i < q->visible_count && x == s->bucket; i++)
      if (mt_x_equal (q->targets[i].expr, s->bucket)) {
         x = mt_x_new (s->b->a, MT_X_TARGET, x->type, x->span);
         x->index = i;
         mt_x_refers (x, s->bucket);
      }
   q->sort = MT_NEW (s->b->a, MtSortX);
   q->sort[0] = (MtSortX) {.expr = x};
   q->sort_count = 1;
   q->unordered = false;
}

bool mt_sample_query (MtBinder *b, MtScope *scope, const MtSelect *select, MtQuery *q,
                      MtGroupSets *sets)
{
   Sampling s = {.b = b, .select = select, .by = select->plain.sample, .q = q};
   MtGroupItem all = {.kind = MT_GROUP_ALL};
   MtSelect grouped = {.kind = MT_SELECT_PLAIN, .plain = {.group_by = &all}};
   bool fills = s.by->fills && s.by->fills->kind != MT_FILL_NONE;
   if (!find_time (&s) || !bind_clause (&s) || !bucket_of (&s, s.time, &s.bucket))
      return false;
   if (!scope->agg_count)
      return mt_error_at (b->err, s.by->span, MT_E_GROUPING,
                          "SAMPLE BY needs an aggregate in the select list");
   if (!use_bucket (&s) || (s.from && !restrict_to (&s, s.from, true)) ||
       (s.to && !restrict_to (&s, s.to, false)) || !mt_bind_group_by (b, scope, &grouped, q, sets))
      return false;
   int key = add_bucket (&s, &sets->list[0]);
   sort_by_bucket (&s);
   return !fills || add_gaps (&s, key);
}
