/* Reads existing records again when late rows are added: some aggregate states of roll-ups cannot
 * take late rows, and have to be computed again from all records (MtLateRecords). */
#include "layouts/expire.h"
#include "session/core/rows.h"
#include "session/dml/dml.h"

static MtExpr *new_expr (MtStatement *st, MtExprKind kind)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = e->at = st->stmt->span;
   return e;
}

/* Returns the condition `first AND second`, or `first OR second`; `second` alone if first is
 * NULL. */
static MtExpr *combine (MtStatement *st, MtExprKind kind, MtExpr *first, MtExpr *second)
{
   if (!first)
      return second;
   MtExpr *e = new_expr (st, kind);
   e->list = MT_NEW (st->arena, MtExprList);
   e->list->expr = first;
   e->list->next = MT_NEW (st->arena, MtExprList);
   e->list->next->expr = second;
   return e;
}

/* Returns the condition `column op value`, or `column IS NULL` if the value is NULL. */
static MtExpr *compare (MtStatement *st, const MtColumn *c, const char *op, MtVal v, MtParams *p)
{
   bool null = mt_is_nullish (v);
   MtExpr *e = new_expr (st, null ? MT_EXPR_IS : MT_EXPR_OPERATOR),
          *column = mt_column_expr (st->arena, c, e->span);
   if (null) {
      e->is.test = MT_IS_NULL;
      e->is.left = column;
      return e;
   }
   e->op.op = op;
   e->op.op_span = e->span;
   e->op.left = column;
   e->op.right = mt_parameter_expr (st, p, c->type, v);
   return e;
}

static MtExpr *condition (MtStatement *st, const MtLateRecords *w, MtParams *p)
{
   const MtTable *t = w->t;
   const MtColumn *time = &t->columns[t->time_column];
   MtExpr *times = NULL, *all;
   size_t most = 2 * w->time_count + t->column_count;
   p->types = MT_NEW_N (st->arena, MtType, most + 1);
   p->values = MT_NEW_N (st->arena, MtVal, most + 1);
   for (size_t i = 0; i < w->time_count; i++) {
      if (w->times[i].from == INT64_MIN)
         continue;
      MtExpr *low = compare (st, time, ">=", mt_v_date (w->times[i].from), p),
             *high = compare (st, time, "<", mt_v_date (w->times[i].to), p);
      times = combine (st, MT_EXPR_OR, times, combine (st, MT_EXPR_AND, low, high));
   }
   all = times;
   for (size_t i = 0; i < t->column_count; i++)
      if (w->values[i].type != MT_MISSING)
         all = combine (st, MT_EXPR_AND, all, compare (st, &t->columns[i], "=", w->values[i], p));
   return all;
}

/* Fails with 0A000 if records of these times have expired, and the roll-up still has them. */
static bool are_there (MtStatement *st, const MtLateRecords *w, MtError *err)
{
   const MtTable *t = w->t;
   int64_t now = st->env.style.now_ms;
   size_t longest = mt_longest_records (t, now);
   int64_t since = longest < t->layout_count ? mt_layout_horizon (t, &t->layouts[longest], now)
                                             : INT64_MAX;
   if (w->times[0].from >= since || since <= mt_layout_horizon (t, w->l, now))
      return true;
   mt_error (err, MT_E_FEATURE,
             "late rows of table \"%s\" are not supported where layout \"%s\" stores them together "
             "with expired rows",
             t->name, w->l->name);
   mt_error_detail (err, "A state of points in the order of time would be made again from rows, "
                         "but some of these rows have expired in the other layouts.");
   return mt_error_hint (err, "Drop layout \"%s\", or increase expire_after of the other layouts.",
                         w->l->name);
}

typedef struct Take {
   MtTakeRecord take;
   void *ctx;
} Take;

static bool pass_rows (const MtTable *t, MtResult *r, const Take *to, MtError *err)
{
   MtArena *a = mt_arena_new ("late row", NULL);
   MtVal *row = MT_NEW_N (r->arena, MtVal, t->column_count + 1);
   bool more = true, ok = true;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      for (size_t i = 0; i < t->column_count && ok; i++)
         ok = mt_value_normalize (a, t->columns[i].type, r->values[i], &row[i], err);
      for (size_t i = 0; i < t->column_count && ok; i++)
         row[i] = mt_is_nullish (row[i]) ? mt_v_null () : row[i];
      ok = ok && to->take (to->ctx, row, err);
      mt_arena_reset (a);
   }
   mt_arena_free (a);
   return ok;
}

/* A callback for MtBindEnv.table: sets *out to the table that is written, in the version to which
 * the statement was bound. */
static bool written_table (void *ctx, const MtName *schema, const MtName *name, const MtTable **out,
                           MtError *err)
{
   (void) schema;
   (void) name;
   (void) err;
   *out = ctx;
   return true;
}

bool mt_late_records (void *statement, const MtLateRecords *w, MtTakeRecord take, void *take_ctx,
                      MtError *err)
{
   MtStatement *st = statement;
   MtParams p = {0};
   MtBindEnv env = {.table = written_table,
                    .ctx = (void *) (uintptr_t) w->t,
                    .style = st->env.style,
                    .cancel = st->env.cancel,
                    .params = &p};
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   MtExpr *where = condition (st, w, &p);
   MtSelect *select = mt_rows_select (st, w->t, NULL, mt_rows_columns (st, w->t), where);
   if (!are_there (st, w, err) || !mt_engine_see (st->session->engine, err) ||
       !mt_bind_select (st->arena, &env, select, &q, err) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("late rows", NULL));
   r->unprinted = true;
   bool ok = mt_result_run (r, plan, false, err) &&
             pass_rows (w->t, r, &(Take) {take, take_ctx}, err);
   mt_result_free (r);
   return ok;
}
