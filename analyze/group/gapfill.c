/* time_bucket_gapfill, locf and interpolate. time_bucket_gapfill becomes a key time_bucket and
 * q->gapfill, which adds the missing buckets. locf and interpolate become entries of
 * MtGapfill.fills. Their results follow the aggregates of a row. */
#include "analyze/calls/call.h"
#include "analyze/state/outer.h"
#include "analyze/types/coerce.h"
#include "analyze/group/blocks.h"
#include "query/window.h"

#include <string.h>

static bool has_flag (const MtX *x, unsigned flag)
{
   return x->kind == MT_X_CALL && x->call.fn->flags & flag;
}

static bool is_gapfill (void *ctx, const MtX *x) { return has_flag (x, MT_F_GAPFILL); }
static bool is_window (void *ctx, const MtX *x) { return x->kind == MT_X_WINDOW; }
static bool is_fill (void *ctx, const MtX *x) { return has_flag (x, MT_F_LOCF | MT_F_INTERPOLATE); }

static bool refuse (MtBinder *b, const MtX *x, const char *why)
{
   return mt_error_at (b->err, x->span, MT_E_FEATURE, why, x->call.fn->name);
}

#define OUTSIDE "%s can only be used in an aggregation query with time_bucket_gapfill"

/* Fails with 0A000 (not supported) if x calls time_bucket_gapfill, locf or interpolate. */
static bool none_in (MtBinder *b, const MtX *x)
{
   const MtX *found = x ? mt_x_find (x, is_fill, NULL) : NULL;
   if (found)
      return refuse (b, found, OUTSIDE);
   found = x ? mt_x_find (x, is_gapfill, NULL) : NULL;
   return !found || mt_error_at (b->err, found->span, MT_E_FEATURE,
                                 "no top level time_bucket_gapfill in group by clause");
}

/* ---- locf and interpolate ---- */

typedef struct Fills {
   MtBinder *b;
   MtQuery *q;
   MtGapfill *g;
} Fills;

/* Returns whether x is an aggregate or the time key, which have no value outside of the range of
 * buckets. */
static bool is_of_bucket (void *ctx, const MtX *x)
{
   const Fills *f = ctx;
   return x->kind == MT_X_AGG || (x->kind == MT_X_KEY && x->index == f->g->key);
}

/* Stores the points before and after the range from a call of interpolate that mt_bind_interpolate
 * made: interpolate (value, prev's time, prev's value, next's time, next's value). */
static bool take_edges (Fills *f, MtX *x, MtFill *fill)
{
   MtX **args = x->call.args;
   MtX **times[] = {&fill->prev_time, &fill->next_time}, **values[] = {&fill->prev, &fill->next};
   fill->prev = NULL;
   for (int i = 0; i < 2 && x->call.argc == 5; i++) {
      *values[i] = args[2 + 2 * i];
      if (!mt_coerce (f->b, args[1 + 2 * i], f->g->ts->type, MT_COERCE_IMPLICIT, times[i]))
         return false;
   }
   return true;
}

static bool add_fill (Fills *f, MtX *x, int *at)
{
   MtX *nulls = x->call.argc == 3 ? x->call.args[2] : NULL; /* locf's treat_null_as_missing */
   MtFill fill = {.linear = has_flag (x, MT_F_INTERPOLATE),
                  .value = x->call.args[0],
                  .prev = x->call.argc > 1 ? x->call.args[1] : NULL};
   for (int i = 0; i < x->call.argc; i++) {
      const MtX *inner = mt_x_find (x->call.args[i], is_fill, NULL);
      if (inner)
         return refuse (f->b, inner, "%s can't be nested in locf or interpolate");
      inner = mt_x_find (x->call.args[i], is_window, NULL);
      if (inner)
         return mt_error_at (f->b->err, inner->span, MT_E_FEATURE,
                             "window functions must not be below %s", x->call.fn->name);
   }
   if (fill.linear && !take_edges (f, x, &fill))
      return false;
   for (int i = 1; i < x->call.argc; i++)
      if (mt_x_find (x->call.args[i], is_of_bucket, f))
         return mt_refuse (f->b, x->call.args[i]->span,
                           "a value outside of the range that depends on the time or an aggregate "
                           "is");
   if (nulls && (nulls->kind != MT_X_CONST || nulls->value.type != MT_BOOL))
      return mt_error_at (f->b->err, nulls->span, MT_E_FEATURE,
                          "invalid locf argument: treat_null_as_missing must be a BOOL literal");
   fill.nulls_too = nulls && nulls->value.i;
   MtFill *more = MT_NEW_N (f->b->a, MtFill, (size_t) f->g->fill_count + 1);
   if (f->g->fill_count)
      memcpy (more, f->g->fills, (size_t) f->g->fill_count * sizeof *more);
   more[f->g->fill_count] = fill;
   f->g->fills = more;
   *at = f->q->agg_count + f->g->fill_count++;
   return true;
}

static MtX *field (Fills *f, const MtX *x, int index)
{
   MtX *agg = mt_x_new (f->b->a, MT_X_AGG, x->type, x->span);
   agg->index = index;
   agg->nullable = true; /* aggregates are NULL in gaps */
   agg->finite = x->finite;
   return agg;
}

/* Replaces calls of locf and interpolate in *x by references to MtGapfill.fills. Makes aggregates
 * nullable, since they are NULL in added buckets. */
static bool to_fields (void *ctx, MtX **x)
{
   Fills *f = ctx;
   MtX *o = *x;
   int at = 0;
   if (o->kind == MT_X_AGG) {
      *x = field (f, o, o->index);
      return true;
   }
   if (is_fill (NULL, o)) {
      if (!add_fill (f, o, &at))
         return false;
      *x = field (f, o, at);
      return true;
   }
   return mt_x_map_children (f->b, x, to_fields, f);
}

/* ---- correlated sub-selects as arguments ---- */

typedef struct Lookups {
   MtBinder *b;
   const MtScope *s;
   MtQuery *q;
   MtGroupSet *set;
   int keys; /* the number of keys of GROUP BY */
} Lookups;

/* Returns whether x is computed only from the keys of GROUP BY, without the time key. */
static bool is_of_keys (const Lookups *l, const MtX *x)
{
   for (int i = 0; i < l->keys; i++)
      if (mt_x_equal (l->q->keys[i], x))
         return !is_gapfill (NULL, x) && !(l->q->gapfill && l->q->gapfill->key == i);
   if (x->kind == MT_X_COLUMN)
      return x->column >= MT_PENDING_COLUMN;
   int n;
   MtX *const *kids = mt_x_kids (x, &n);
   for (int i = 0; kids && i < n; i++)
      if (!is_of_keys (l, kids[i]))
         return false;
   return x->kind != MT_X_AGG;
}

/* Adds x, a sub-select's value, to the GROUP BY keys. Since it depends only on the other keys, the
 * groups stay the same. */
static void add_key (Lookups *l, MtX *x)
{
   MtQuery *q = l->q;
   for (int i = 0; i < q->key_count; i++)
      if (mt_x_equal (q->keys[i], x))
         return;
   MtX **keys = MT_NEW_N (l->b->a, MtX *, (size_t) q->key_count + 1);
   int *list = MT_NEW_N (l->b->a, int, (size_t) l->set->count + 1);
   memcpy (keys, q->keys, (size_t) q->key_count * sizeof *keys);
   memcpy (list, l->set->keys, (size_t) l->set->count * sizeof *list);
   keys[q->key_count] = x;
   list[l->set->count++] = q->key_count++;
   q->keys = keys;
   l->set->keys = list;
}

static bool is_pending (void *ctx, const MtX *x)
{
   return x->kind == MT_X_COLUMN && x->column >= MT_PENDING_COLUMN;
}

static bool lookup (Lookups *l, MtX *x)
{
   const MtX *column = mt_x_find (x, is_pending, NULL);
   if (!column)
      return true;
   const MtPending *p = mt_pending_of (l->s, column->column);
   bool ok = (!p->join->on || is_of_keys (l, p->join->on)) &&
             (!p->join->when || is_of_keys (l, p->join->when));
   for (int i = 0; i < p->join->let_count && ok; i++)
      ok = is_of_keys (l, p->join->lets[i].x);
   if (!ok) {
      mt_error_at (l->b->err, p->span, MT_E_GROUPING,
                   "a look-up of locf or interpolate can only use the other keys of GROUP BY");
      return mt_error_hint (l->b->err, "Compare columns that are in GROUP BY, but not the time.");
   }
   add_key (l, x);
   return true;
}

static bool lookups_in (Lookups *l, MtX *x)
{
   int n;
   MtX **kids = mt_x_children (x, &n);
   for (int i = 0; kids && i < n; i++)
      if (!(i && is_fill (NULL, x) ? lookup (l, kids[i]) : lookups_in (l, kids[i])))
         return false;
   return true;
}

bool mt_gapfill_lookups (MtBinder *b, const MtScope *s, MtQuery *q, MtGroupSets *sets)
{
   Lookups l = {b, s, q, sets->list, q->key_count};
   if (!s->pending_count || sets->count != 1)
      return true;
   for (int i = 0; i < q->target_count; i++)
      if (!lookups_in (&l, q->targets[i].expr))
         return false;
   return true;
}

/* ---- time_bucket_gapfill ---- */

/* Stores the arguments of key i, time_bucket_gapfill (width, ts [, timezone] [, start, finish]), in
 * *g. */
static bool take_key (MtBinder *b, MtQuery *q, int i, MtGapfill *g)
{
   MtX *x = q->keys[i], **args = x->call.args;
   int n = x->call.argc, zoned = n == 3 || n == 5, last = 2 + zoned;
   g->key = i;
   g->width = args[0];
   g->ts = args[1];
   g->zone = zoned ? args[2] : NULL;
   g->start = n > last ? args[last] : NULL;
   g->finish = n > last ? args[last + 1] : NULL;
   MtX **list = MT_NEW_N (b->a, MtX *, 3);
   memcpy (list, args, (size_t) last * sizeof *list);
   return mt_bind_function (b, "time_bucket", x->span, list, last, &q->keys[i]);
}

static bool find_key (MtBinder *b, MtQuery *q, MtGapfill **out)
{
   *out = q->gapfill;
   for (int i = 0; i < q->key_count; i++) {
      MtX *key = q->keys[i];
      if (!is_gapfill (NULL, key)) {
         if (!none_in (b, key))
            return false;
         continue;
      }
      if (*out)
         return mt_error_at (b->err, key->span, MT_E_FEATURE,
                             "multiple time_bucket_gapfill calls not allowed");
      *out = MT_NEW (b->a, MtGapfill);
      for (int k = 0; k < key->call.argc; k++)
         if (!none_in (b, key->call.args[k]))
            return false;
      if (!take_key (b, q, i, *out))
         return false;
   }
   return true;
}

static bool visit (void *ctx, MtX **x)
{
   Fills *f = ctx;
   return f->g ? to_fields (f, x) : none_in (f->b, *x);
}

bool mt_gapfill_query (MtBinder *b, MtQuery *q, bool has_sets)
{
   MtGapfill *g;
   if (q->rel.kind == MT_REL_NONE) { /* a bucket of a constant has no gaps */
      for (int i = 0; i < q->target_count; i++)
         if (mt_x_find (q->targets[i].expr, is_fill, NULL))
            return none_in (b, q->targets[i].expr);
      return true;
   }
   if (!find_key (b, q, &g) || !none_in (b, q->where) || !none_in (b, q->having))
      return false;
   for (int i = 0; i < q->agg_count; i++)
      if (!none_in (b, q->aggs[i].arg) || !none_in (b, q->aggs[i].filter))
         return false;
   if (g && has_sets)
      return mt_refuse (b, q->keys[g->key]->span,
                        "time_bucket_gapfill in one of several grouping sets is");
   Fills f = {b, q, g};
   if (!mt_results_each (q, visit, &f))
      return false;
   if (q->windows && !mt_windows_each (q->windows, visit, &f))
      return false;
   for (int i = 0; g && i < q->target_count; i++) /* a target calls time_bucket_gapfill: no key */
      if (mt_x_find (q->targets[i].expr, is_gapfill, NULL))
         return none_in (b, q->targets[i].expr);
   q->gapfill = g;
   return true;
}
