/* time_bucket_gapfill, locf and interpolate. The first becomes time_bucket as a key. The others
 * become MtFill, fields after the aggregates. */
#include "analyze/calls/call.h"
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

/* ---- fills ---- */

typedef struct Fills {
   MtBinder *b;
   MtQuery *q;
   MtGapfill *g;
} Fills;

/* Returns whether x is the group key of the time or an aggregate. */
static bool is_of_bucket (void *ctx, const MtX *x)
{
   const Fills *f = ctx;
   return x->kind == MT_X_AGG || (x->kind == MT_X_KEY && x->index == f->g->key);
}

static bool add_fill (Fills *f, MtX *x, int *at)
{
   MtX *nulls = x->call.argc > 2 ? x->call.args[2] : NULL;
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
   if (fill.prev && mt_x_find (fill.prev, is_of_bucket, f))
      return mt_refuse (f->b, fill.prev->span,
                        "a value before the first row that depends on the time or an aggregate is");
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

/* Replaces calls of locf and interpolate by references to MtGapfill.fills. Aggregates become
 * nullable. */
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

/* ---- the key ---- */

/* Reads the group key time_bucket_gapfill (width, ts [, timezone] [, start, finish]) into *g. */
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
   *out = NULL;
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
   for (int i = 0; g && i < q->target_count; i++) /* calls that aren't the key */
      if (mt_x_find (q->targets[i].expr, is_gapfill, NULL))
         return none_in (b, q->targets[i].expr);
   q->gapfill = g;
   return true;
}
