/* Checks PRIMARY KEY. After writing, the same step searches for duplicate keys among the rows whose
 * keys could equal those of the written rows. */
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/rows.h"
#include "session/dml/dml.h"

#include <string.h>

static MtExpr *new_expr (MtStatement *st, MtExprKind kind)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = st->stmt->span;
   return e;
}

/* ---- keys of expired rows ---- */

int64_t mt_keys_since (const MtStatement *st, const MtTable *t)
{
   int64_t now = st->env.style.now_ms;
   size_t longest = t->unique && mt_expires (t) ? mt_longest_records (t, now) : t->layout_count;
   int64_t since = longest < t->layout_count ? mt_layout_horizon (t, &t->layouts[longest], now)
                                             : MT_NEVER_EXPIRES;
   return since > mt_expiry_horizon (t, now) ? since : MT_NEVER_EXPIRES;
}

bool mt_key_can_be_told (MtStatement *st, const MtTable *t, int64_t since_ms, const MtVal *row,
                         MtError *err)
{
   if (since_ms == MT_NEVER_EXPIRES || row[t->time_column].i >= since_ms ||
       row[t->time_column].i < mt_expiry_horizon (t, st->env.style.now_ms))
      return true;
   MtBuf time = {0};
   mt_timestamptz_out (since_ms, st->env.style.zone, &time);
   mt_error (err, MT_E_FEATURE, "%s of expired rows into table \"%s\" is not supported",
             st->stmt->kind == MT_STMT_UPDATE ? "UPDATE" : "INSERT", t->name);
   mt_error_detail (err, "Only sums are left of rows before %s, so duplicate keys cannot be found.",
                    time.p);
   mt_error_hint (
      err,
      "Use a table without a PRIMARY KEY to add late rows to layouts that still keep their time.");
   mt_buf_free (&time);
   return false;
}

/* Makes the condition `time >= since [AND where]`. */
static MtExpr *with_lower_bound (MtStatement *st, const MtTable *t, int64_t since, MtExpr *where,
                                 MtParams *p)
{
   if (since == MT_NEVER_EXPIRES)
      return where;
   MtExpr *low = new_expr (st, MT_EXPR_OPERATOR), *both = new_expr (st, MT_EXPR_AND);
   const MtColumn *time = &t->columns[t->time_column];
   low->op.op = ">=";
   low->op.op_span = low->span;
   low->op.left = mt_column_expr (st->arena, time, low->span);
   low->op.right = mt_parameter_expr (st, p, time->type, mt_v_date (since));
   if (!where)
      return low;
   both->list = MT_NEW (st->arena, MtExprList);
   both->list->expr = low;
   both->list->next = MT_NEW (st->arena, MtExprList);
   both->list->next->expr = where;
   return both;
}

/* Makes SELECT key FROM t for keys between the bounds, and for times for which keys are known. */
static MtSelect *select_keys (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds,
                              MtParams *p)
{
   MtTarget *first = NULL, **last = &first;
   for (size_t i = 0; i < t->key_count; i++) {
      *last = MT_NEW (st->arena, MtTarget);
      (*last)->expr = mt_column_expr (st->arena, &t->columns[t->key[i]], st->stmt->span);
      last = &(*last)->next;
   }
   MtExpr *where = NULL;
   p->types = MT_NEW_N (st->arena, MtType, 3);
   p->values = MT_NEW_N (st->arena, MtVal, 3);
   if (bounds && bounds->any && !bounds->open) {
      MtType type = t->columns[t->key[0]].type;
      where = new_expr (st, MT_EXPR_BETWEEN);
      where->between.value = mt_column_expr (st->arena, &t->columns[t->key[0]], where->span);
      where->between.low = mt_parameter_expr (st, p, type, bounds->low);
      where->between.high = mt_parameter_expr (st, p, type, bounds->high);
   }
   return mt_rows_select (st, t, NULL, first,
                          with_lower_bound (st, t, mt_keys_since (st, t), where, p));
}

static bool run_keys (MtStatement *st, const MtTable *t, MtSelect *select, MtParams *p,
                      MtResult **out, MtError *err)
{
   MtBindEnv env = st->env;
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   env.params = p;
   if (!mt_bind_select (st->arena, &env, select, &q, err) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   *out = mt_result_new (st->session, mt_arena_new ("keys", NULL));
   (*out)->unprinted = true;
   if (mt_result_run (*out, plan, false, err))
      return true;
   mt_result_free (*out);
   return false;
}

bool mt_keys_there (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtResult **out,
                    MtError *err)
{
   MtParams p = {0};
   return run_keys (st, t, select_keys (st, t, bounds, &p), &p, out, err);
}

/* Returns whether MongoDB may order two values differently from SQL. In MongoDB NaN is the least
 * number, and binary data is ordered by length first. */
static bool other_order (MtVal a, MtVal b)
{
   return a.type == MT_DOC || a.type == MT_ARRAY || (a.type == MT_BINARY && a.len != b.len) ||
          mt_v_is_nan (a);
}

void mt_key_bounds_add (MtArena *a, MtKeyBounds *b, MtVal v)
{
   if (mt_is_nullish (v)) /* the writer reports the error */
      return;
   b->open |= other_order (v, b->any ? b->low : v);
   if (!b->any || mt_v_compare (v, b->low) < 0)
      b->low = mt_v_copy (a, v);
   if (!b->any || mt_v_compare (v, b->high) > 0)
      b->high = mt_v_copy (a, v);
   b->any = true;
}

/* ---- finding duplicate keys ---- */

/* Adds GROUP BY key HAVING count (*) > 1 LIMIT 1. */
static void add_group_by_key (MtStatement *st, MtSelect *s, size_t key_count)
{
   MtGroupItem **last = &s->plain.group_by;
   MtTarget *t = s->plain.targets;
   for (size_t i = 0; i < key_count; i++, t = t->next) {
      *last = MT_NEW (st->arena, MtGroupItem);
      **last = (MtGroupItem) {.kind = MT_GROUP_EXPR, .span = st->stmt->span, .expr = t->expr};
      last = &(*last)->next;
   }
   MtExpr *count = new_expr (st, MT_EXPR_CALL), *one = new_expr (st, MT_EXPR_INTEGER),
          *more = new_expr (st, MT_EXPR_OPERATOR);
   count->call.name = MT_NEW (st->arena, MtNameList);
   count->call.name->name = (MtName) {.text = "count", .span = st->stmt->span};
   count->call.star = true;
   one->text = "1";
   more->op.op = ">";
   more->op.op_span = st->stmt->span;
   more->op.left = count;
   more->op.right = one;
   s->plain.having = more;
   s->limit = one;
}

static bool report_duplicate (MtStatement *st, const MtTable *t, MtResult *r, MtError *err)
{
   MtBuf names = {0}, values = {0};
   for (size_t i = 0; i < t->key_count; i++) {
      MtError ignored;
      mt_buf_printf (&names, "%s%s", i ? ", " : "", t->columns[t->key[i]].name);
      mt_buf_adds (&values, i ? ", " : "");
      mt_value_print (r->columns[i].type, r->values[i], &st->env.style, &values, &ignored);
   }
   bool alters = st->stmt->kind == MT_STMT_ALTER_TABLE;
   mt_error (err, MT_E_UNIQUE,
             alters ? "could not create unique index \"%s_pkey\""
                    : "duplicate key value violates unique constraint \"%s_pkey\"",
             t->name);
   mt_error_detail (err, "Key (%.200s)=(%.200s) %s.", names.p ? names.p : "",
                    values.p ? values.p : "", alters ? "is duplicated" : "already exists");
   mt_buf_free (&names);
   mt_buf_free (&values);
   return false;
}

void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err)
{
   MtError said = *err;
   bool by_server = said.topic == MT_TOPIC_ID || said.topic == MT_TOPIC_KEY;
   if (!t->unique || !by_server || !mt_engine_caps (st->session->engine)->unique_indexes)
      return;
   bool alters = st->stmt->kind == MT_STMT_ALTER_TABLE;
   mt_error (err, MT_E_UNIQUE,
             alters ? "could not create unique index \"%s_pkey\""
                    : "duplicate key value violates unique constraint \"%s_pkey\"",
             t->name);
   mt_error_detail (err, "The server says: %s.", said.message);
   if (said.context[0])
      mt_error_context (err, "%s", said.context);
}

bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err)
{
   MtParams p = {0};
   MtResult *r;
   bool more;
   if (!t->unique || (bounds && !bounds->any))
      return true;
   MtSelect *select = select_keys (st, t, bounds, &p);
   add_group_by_key (st, select, t->key_count);
   /* The step may have created partitions, which the query must read. */
   if (!mt_engine_see (st->session->engine, err) ||
       !mt_partitions_look (st->session->engine, &t, 1, err) ||
       !run_keys (st, t, select, &p, &r, err))
      return false;
   bool ok = mt_result_next (r, &more, err) && (!more || report_duplicate (st, t, r, err));
   mt_result_free (r);
   return ok;
}
