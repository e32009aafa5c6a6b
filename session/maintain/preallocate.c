/* PREALLOCATE table FOR 'interval' [FROM 'time']: creates counter documents for future times, in
 * which all counters are 0. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/dml/dml.h"
#include "session/maintain/maintain.h"
#include "types/datetime.h"
#include "layouts/collections/partition.h"
#include "layouts/pack/prealloc.h"
#include "layouts/stats.h"
#include "layouts/increments.h"
#include "layouts/collections/collections.h"
#include "session/core/rows.h"

#include <string.h>

typedef struct Prealloc {
   MtStatement *st;
   const MtTable *t;
   int64_t from, until;
   MtUnit unit; /* the shortest period that a document covers */
   /* takes[i][j]: whether documents of store j of layout i can be created in advance */
   bool **takes;
   MtStoreStats **stats; /* by layout and store: the statistics of the created documents */
   double sent;
} Prealloc;

/* ---- times and stores ---- */

static bool read_times (Prealloc *p, MtError *err)
{
   const MtStatement *st = p->st;
   const MtTypedText *length = &st->stmt->preallocate.length, *from = &st->stmt->preallocate.from;
   MtTimeEnv env = {.zone = st->env.style.zone, .now_ms = st->session->statement_ms};
   MtInterval iv;
   p->from = env.now_ms;
   bool ok = mt_interval_in (length->str.p, length->str.n, &iv, err);
   if (!ok)
      err->span = length->span;
   else if (from->str.p &&
            !(ok = mt_timestamptz_in (from->str.p, from->str.n, &env, &p->from, err)))
      err->span = from->span;
   if (!ok || !mt_ts_add_interval (p->from, iv, env.zone, &p->until, err))
      return false;
   bool forward = p->until >= p->from && mt_ts_is_finite (p->from) && mt_ts_is_finite (p->until);
   return forward || mt_error_at (err, length->span, MT_E_PARAMETER,
                                  "the time to preallocate for must be finite, and not negative");
}

static bool find_stores (Prealloc *p, MtError *err)
{
   const MtTable *t = p->t;
   const char *why, *because = "hold records";
   bool any = false;
   p->takes = MT_NEW_N (p->st->arena, bool *, t->layout_count);
   p->stats = MT_NEW_N (p->st->arena, MtStoreStats *, t->layout_count);
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      p->takes[i] = MT_NEW_N (p->st->arena, bool, l->store_count);
      p->stats[i] = MT_NEW_N (p->st->arena, MtStoreStats, l->store_count);
      for (size_t j = 0; j < l->store_count; j++) {
         const MtStoreDesc *s = &l->stores[j];
         p->stats[i][j] = (MtStoreStats) {
            .present = true, .nodes = MT_NEW_N (p->st->arena, MtNodeStats, s->node_count)};
         p->takes[i][j] = mt_can_preallocate (t, s, &why);
         if (!p->takes[i][j])
            because = why;
         else if (!any || mt_prealloc_unit (s) < p->unit)
            p->unit = mt_prealloc_unit (s);
         any |= p->takes[i][j];
      }
   }
   if (any)
      return true;
   mt_error_at (err, p->st->stmt->preallocate.table.span, MT_E_FEATURE,
                "documents of table \"%s\" cannot be preallocated: they %s", t->name, because);
   return mt_error_hint (err, "Use a layout of counters: daily_metrics or mms.");
}

/* ---- the series ---- */

/* Makes a plan of SELECT DISTINCT dimension, … for the period that contains p->from and the period
 * before it. It finds the series (combinations of dimensions) that are active. */
static bool plan_series (Prealloc *p, MtPlan **out, MtError *err)
{
   MtStatement *st = p->st;
   const MtColumn *time = &p->t->columns[p->t->time_column];
   MtParams params = {.types = MT_NEW_N (st->arena, MtType, 2),
                      .values = MT_NEW_N (st->arena, MtVal, 2)};
   MtTarget *first = NULL, **last = &first;
   for (size_t i = 0; i < p->t->column_count; i++) {
      if (p->t->columns[i].role != MT_COL_DIMENSION)
         continue;
      *last = MT_NEW (st->arena, MtTarget);
      (*last)->expr = mt_column_expr (st->arena, &p->t->columns[i], st->stmt->span);
      last = &(*last)->next;
   }
   int64_t start = mt_utc_floor (p->from, p->unit);
   MtExpr *where = MT_NEW (st->arena, MtExpr);
   *where = (MtExpr) {.kind = MT_EXPR_BETWEEN, .span = st->stmt->span};
   where->between.value = mt_column_expr (st->arena, time, st->stmt->span);
   where->between.low = mt_parameter_expr (st, &params, time->type,
                                           mt_v_date (mt_utc_floor (start - 1, p->unit)));
   where->between.high = mt_parameter_expr (st, &params, time->type,
                                            mt_v_date (mt_utc_next (start, p->unit) - 1));
   MtSelect *select = mt_rows_select (st, p->t, NULL, first, where);
   select->plain.distinct = true;
   MtBindEnv env = st->env;
   env.params = &params;
   MtQuery *q;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   return mt_bind_select (st->arena, &env, select, &q, err) &&
          mt_plan_query (st->arena, q, &settings, out, err);
}

/* ---- their documents ---- */

static bool create_partition (Prealloc *p, const MtStoreDesc *s, int64_t ms, MtPartition *last,
                              MtError *err)
{
   bool made;
   if (!s->parts || (last->collection && last->start_ms <= ms && ms < last->end_ms))
      return true;
   *last = mt_partition_of (p->st->arena, s, ms);
   return mt_store_make_collection (p->st->session->engine, p->t, s, last->collection, &made,
                                    err) &&
          (!made || mt_partition_made (p->st, s, last->collection, err));
}

static bool create_documents (Prealloc *p, const MtStoreDesc *s, MtVal *row, MtStoreStats *stats,
                              MtError *err)
{
   MtUnit unit = mt_prealloc_unit (s);
   MtPreallocStore to = {p->st->session->engine, p->t, s, stats};
   MtPartition last = {NULL, 0, 0};
   for (int64_t start = mt_utc_floor (p->from, unit); start <= p->until;
        start = mt_utc_next (start, unit)) {
      row[p->t->time_column] = mt_v_date (start);
      if (!mt_cancel_check (&p->st->session->cancel, err) ||
          !create_partition (p, s, start, &last, err) || !mt_prealloc_make (&to, row, err))
         return false;
   }
   return true;
}

static bool create_series (Prealloc *p, MtVal *row, MtError *err)
{
   for (size_t i = 0; i < p->t->layout_count; i++)
      for (size_t j = 0; j < p->t->layouts[i].store_count; j++)
         if (p->takes[i][j] &&
             !create_documents (p, &p->t->layouts[i].stores[j], row, &p->stats[i][j], err))
            return false;
   return true;
}

static bool create_all (Prealloc *p, MtPlan *series, MtError *err)
{
   MtArena *a = mt_arena_new ("series", p->st->arena);
   MtVal *row = MT_NEW_N (p->st->arena, MtVal, p->t->column_count);
   MtResult *r = mt_result_new (p->st->session, mt_arena_new ("series", NULL));
   bool more = true, ok = mt_result_run (r, series, false, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0, n = 0; i < p->t->column_count && ok; i++)
         if (p->t->columns[i].role == MT_COL_DIMENSION)
            ok = mt_value_normalize (a, p->t->columns[i].type, r->values[n++], &row[i], err);
      ok = ok && create_series (p, row, err);
      mt_arena_reset (a);
   }
   mt_result_free (r);
   return ok;
}

/* Reduces the statistics to the documents that were really created, because some existed already.
 * *made is the number of documents that this step had created before; it is set to the number
 * created since. */
static bool count_made (Prealloc *p, uint64_t *made, MtError *err)
{
   uint64_t before = *made;
   double sent = 0;
   for (size_t i = 0; i < p->t->layout_count; i++)
      for (size_t j = 0; j < p->t->layouts[i].store_count; j++)
         sent += p->stats[i][j].documents;
   if (!mt_engine_incremented (p->st->session->engine, made, err))
      return false;
   *made -= before;
   for (size_t i = 0; i < p->t->layout_count; i++)
      for (size_t j = 0; j < p->t->layouts[i].store_count; j++)
         mt_stats_scale (&p->t->layouts[i].stores[j], &p->stats[i][j],
                         sent > 0 ? (double) *made / sent : 0);
   return true;
}

bool mt_run_preallocate (MtStatement *st, MtError *err)
{
   Prealloc p = {.st = st};
   MtPlan *series;
   uint64_t made;
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot execute PREALLOCATE: the target is read-only");
   if (!mt_need_table (st, &st->stmt->preallocate.table, &p.t, err) || !find_stores (&p, err) ||
       !read_times (&p, err) || !plan_series (&p, &series, err) ||
       !mt_step_begin (st->session, err))
      return false;
   bool ok = mt_engine_incremented (st->session->engine, &made, err) &&
             create_all (&p, series, err) && count_made (&p, &made, err);
   if (ok) {
      MtTable next = mt_table_with_stats (st->arena, p.t, NULL, p.stats);
      ok = mt_catalog_grow (st->session->catalog, p.t, &next, err) &&
           mt_step_commit (st->session, err);
   }
   if (!ok) {
      mt_step_rollback (st->session);
      return false;
   }
   mt_result_set_tag (st->result,
                      mt_printf (st->arena, "PREALLOCATE %llu", (unsigned long long) made));
   return true;
}
