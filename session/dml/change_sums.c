#include "layouts/cell_state.h"
#include "layouts/expire.h"
#include "layouts/read/decode.h"
#include "layouts/stored.h"
#include "planner/plan/affected.h"
#include "session/core/core.h"
#include "session/dml/change.h"

#include <string.h>

/* ---- the times whose documents are computed again ---- */

static MtRangeSet span_of (MtArena *a, MtUnit unit, int64_t first, int64_t last)
{
   mt_document_span (unit, &first, &last);
   return mt_ranges_one (a, first, last + 1);
}

/* Returns the time ranges whose sums must be computed again: those of the changed rows before the
 * change. The times after the change are included for a guarded store (other clients increment its
 * documents), and for aggregate states to which late rows cannot be added. */
static MtRangeSet affected_times (const MtStoreChange *s)
{
   const MtChange *c = s->c;
   MtArena *a = c->st->arena;
   MtUnit unit;
   if (!c->any_time || !mt_root_time (c->table, s->desc, &unit))
      return mt_ranges_all (a);
   MtRangeSet old = span_of (a, unit, c->first_ms, c->last_ms);
   return (s->guarded || mt_store_joins (s->l, s->desc)) && c->any_new_time
             ? mt_ranges_union (a, old, span_of (a, unit, c->new_first_ms, c->new_last_ms))
             : old;
}

bool mt_change_lies_in (MtRangeSet times, int64_t ms)
{
   bool yes = false;
   for (int i = 0; i < times.count && !yes; i++)
      yes = ms >= times.ranges[i].lo && ms < times.ranges[i].hi;
   return yes;
}

bool mt_change_each (const MtStoreChange *s, size_t part, MtRangeSet times,
                     const MtDocumentVisit *v, MtError *err)
{
   MtStatement *st = s->c->st;
   const MtPartChange *p = &s->parts[part];
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   const bson_t *pipeline;
   const MtWay *way = mt_way_of_documents (st->arena, s->c->table, &p->layout, 0);
   return mt_pipeline_within (st->arena, way, times, &settings, &pipeline, err) &&
          mt_each_document (st, p->desc.collection, pipeline, v, err);
}

/* ---- deleting documents ---- */

typedef struct Removal {
   MtStoreChange *s;
   MtPartChange *part;
   MtRangeSet times;
} Removal;

static bool remove_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   const Removal *r = ctx;
   const MtStoreChange *s = r->s;
   MtVal v = mt_v_doc (doc);
   MtRecords records;
   MtUnit unit;
   int64_t start = 0;
   if (!mt_ranges_is_all (r->times) &&
       (!mt_document_time (a, s->c->table, s->desc, v, &start, &unit) ||
        !mt_change_lies_in (r->times, start)))
      return true;
   return mt_decode_records (a, &(MtTableStore) {s->c->table, s->l, s->desc}, v, &records, err) &&
          mt_change_take_out (r->s, r->part, doc, &records.seen, err);
}

static bool remove_documents (MtStoreChange *s, MtRangeSet times, MtError *err)
{
   const char *what = mt_printf (s->c->st->arena, "reading %s", s->l->name);
   for (size_t i = 0; i < s->part_count; i++) {
      MtPartChange *p = &s->parts[i];
      Removal r = {s, p, times};
      MtDocumentVisit v = {what, remove_document, &r};
      if (mt_change_meets (s, i, times) &&
          !(p->drop ? mt_change_forget (s, p, 0, err) : mt_change_each (s, i, times, &v, err)))
         return false;
   }
   return true;
}

/* ---- adding the records of these times again ---- */

MtExpr *mt_change_constant (MtStatement *st, const MtColumn *c, MtVal value, MtError *err)
{
   MtArena *a = st->arena;
   MtExpr *v = MT_NEW (a, MtExpr);
   MtBuf text = {0};
   v->kind = MT_EXPR_TYPED_STRING;
   v->span = v->typed.str_span = st->stmt->span;
   v->typed.type = MT_NEW (a, MtTypeName);
   *v->typed.type = (MtTypeName) {.name = {mt_type_info (c->type.id)->name, true, v->span},
                                  .modifiers = {-1, -1},
                                  .span = v->span};
   bool ok = mt_value_print (c->type, value, &st->env.style, &text, err);
   v->typed.str = mt_str (mt_strndup (a, text.p ? text.p : "", text.n));
   mt_buf_free (&text);
   return ok ? v : NULL;
}

/* Returns the condition `column op time`; NULL with an error. */
static MtExpr *compare_time (MtStatement *st, const MtColumn *c, const char *op, int64_t ms,
                             MtError *err)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr), *v = mt_change_constant (st, c, mt_v_date (ms), err);
   e->kind = MT_EXPR_OPERATOR;
   e->span = st->stmt->span;
   e->op.op = op;
   e->op.op_span = e->span;
   e->op.left = mt_column_expr (st->arena, c, e->span);
   e->op.right = v;
   return v ? e : NULL;
}

/* Returns the condition `first AND second`, or `first OR second`. */
static MtExpr *combine (MtStatement *st, MtExprKind kind, MtExpr *first, MtExpr *second)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = st->stmt->span;
   e->list = MT_NEW (st->arena, MtExprList);
   e->list->expr = first;
   e->list->next = MT_NEW (st->arena, MtExprList);
   e->list->next->expr = second;
   return e;
}

static bool times_condition (MtStatement *st, const MtTable *t, MtRangeSet times, MtExpr **out,
                             MtError *err)
{
   const MtColumn *time = &t->columns[t->time_column];
   *out = NULL;
   for (int i = 0; i < times.count && !mt_ranges_is_all (times); i++) {
      MtExpr *low = compare_time (st, time, ">=", times.ranges[i].lo, err),
             *high = compare_time (st, time, "<=", times.ranges[i].hi - 1, err);
      if (!low || !high)
         return false;
      MtExpr *range = combine (st, MT_EXPR_AND, low, high);
      *out = *out ? combine (st, MT_EXPR_OR, *out, range) : range;
   }
   return true;
}

bool mt_change_unexpired (MtStatement *st, const MtTable *t, MtExpr *where, MtExpr **out,
                          MtError *err)
{
   int64_t horizon = mt_expiry_horizon (t, st->env.style.now_ms);
   MtExpr *low = horizon == MT_NEVER_EXPIRES
                    ? NULL
                    : compare_time (st, &t->columns[t->time_column], ">=", horizon, err);
   if (low && where)
      *out = combine (st, MT_EXPR_AND, where, low);
   else
      *out = low ? low : where;
   return low || horizon == MT_NEVER_EXPIRES;
}

static bool plan_rows (MtStoreChange *s, MtExpr *where, MtPlan **out, MtError *err)
{
   MtStatement *st = s->c->st;
   const MtTable *t = s->c->table;
   MtQuery *q;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.skip_malformed = st->malformed;
   return mt_bind_select (st->arena, &st->env,
                          mt_rows_select (st, t, NULL, mt_rows_columns (st, t), where), &q, err) &&
          mt_plan_query (st->arena, q, &settings, out, err);
}

typedef bool (*Take) (MtStoreChange *s, const MtVal *row, bool changed);

static bool write_judged (MtBatch *b, Take take, MtError *err)
{
   bool ok = mt_batch_judge (b, err);
   for (size_t i = 0; i < b->count && ok; i++) {
      const MtVal *row = b->hit[i] ? b->changed[i] : b->rows[i];
      ok = !row || !take (b->s, row, b->hit[i]) || mt_writer_add (b->s->writer, row, err);
   }
   mt_batch_reset (b);
   return ok;
}

enum { BATCH_ROWS = 4096 };

static bool feed_rows (MtStoreChange *s, MtResult *r, Take take, MtError *err)
{
   const MtTable *t = s->c->table;
   MtBatch b;
   bool more = true, ok = true;
   mt_batch_init (&b, s);
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      MtVal *row = MT_NEW_N (b.a, MtVal, t->column_count + 1);
      for (size_t i = 0; i < t->column_count && ok; i++) {
         MtVal v;
         ok = mt_value_normalize (b.a, t->columns[i].type, r->values[i], &v, err);
         if (ok)
            row[i] = mt_v_copy (b.a, v);
      }
      mt_batch_add (&b, row);
      if (ok && b.count >= BATCH_ROWS)
         ok = write_judged (&b, take, err);
   }
   ok = ok && write_judged (&b, take, err);
   mt_arena_free (b.a);
   return ok;
}

/* If a layout's sums cannot be computed again because the rows have expired in all layouts,
 * replaces the error, whose message names a condition that the statement does not have. Returns
 * false. */
static bool rows_are_gone (const MtStoreChange *s, MtError *err)
{
   const MtTable *t = s->c->table;
   int64_t now = s->c->st->env.style.now_ms;
   if (!mt_error_is (err, MT_E_FEATURE) || mt_latest_horizon (t, now) <= mt_expiry_horizon (t, now))
      return false;
   mt_error (err, MT_E_FEATURE,
             "%s is not supported for rows of table \"%s\" that layout \"%s\" stores together with "
             "expired rows",
             s->c->verb, t->name, s->l->name);
   mt_error_detail (
      err,
      "The layout would be made again from rows, but some of these rows have expired in the other "
      "layouts.");
   return mt_error_hint (err, "Drop layout \"%s\", or increase expire_after of the other layouts.",
                         s->l->name);
}

bool mt_change_feed (MtStoreChange *s, MtExpr *where, Take take, MtError *err)
{
   MtPlan *plan;
   if (!plan_rows (s, where, &plan, err))
      return rows_are_gone (s, err);
   MtResult *r = mt_result_new (s->c->st->session, mt_arena_new ("records", NULL));
   r->unprinted = true;
   bool ok = mt_result_run (r, plan, false, err) && feed_rows (s, r, take, err);
   mt_result_free (r);
   return ok;
}

static bool take_all (MtStoreChange *s, const MtVal *row, bool changed)
{
   (void) s;
   (void) row;
   (void) changed;
   return true;
}

bool mt_change_sums (MtStoreChange *s, MtError *err)
{
   MtRangeSet times = affected_times (s);
   MtExpr *where;
   if (!remove_documents (s, times, err))
      return false;
   if (s->c->leaf)
      return mt_change_feed_leaves (s, times, err);
   return times_condition (s->c->st, s->c->table, times, &where, err) &&
          mt_change_feed (s, where, take_all, err);
}
