/* PRIMARY KEY: no two rows of a table have the same values in its columns. Nothing keeps them apart but a look, in the step that writes, at the rows that
 * could be equal to those that were written. */
#include "layouts/partition.h"
#include "planner/pipe.h"
#include "session/rows.h"

#include <string.h>

static MtExpr *node (MtStatement *st, MtExprKind kind)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   e->kind = kind;
   e->span = e->outer = st->stmt->span;
   return e;
}

static MtExpr *param (MtStatement *st, MtParams *p, MtType type, MtVal value)
{
   MtExpr *e = node (st, MT_EXPR_PARAM);
   p->types[p->count] = type;
   p->values[p->count] = value;
   e->param = ++p->count;
   return e;
}

/* SELECT key FROM t [WHERE the key's first column lies between the bounds]. */
static MtSelect *select_keys (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtParams *p)
{
   MtTarget *first = NULL, **last = &first;
   for (size_t i = 0; i < t->key_count; i++) {
      *last = MT_NEW (st->arena, MtTarget);
      (*last)->expr = mt_column_expr (st->arena, &t->columns[t->key[i]], st->stmt->span);
      last = &(*last)->next;
   }
   MtExpr *where = NULL;
   if (bounds && bounds->any && !bounds->open) {
      MtType type = t->columns[t->key[0]].type;
      p->types = MT_NEW_N (st->arena, MtType, 2);
      p->values = MT_NEW_N (st->arena, MtVal, 2);
      where = node (st, MT_EXPR_BETWEEN);
      where->between.value = mt_column_expr (st->arena, &t->columns[t->key[0]], where->span);
      where->between.low = param (st, p, type, bounds->low);
      where->between.high = param (st, p, type, bounds->high);
   }
   return mt_rows_select (st, t, NULL, first, where);
}

static bool run_keys (MtStatement *st, const MtTable *t, MtSelect *select, MtParams *p, MtResult **out, MtError *err)
{
   MtBindEnv env = st->env;
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   env.params = p;
   if (!mt_bind_select (st->arena, &env, select, &q, err) || !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   *out = mt_result_new (st->session, mt_arena_new ("keys", NULL));
   (*out)->unprinted = true;
   if (mt_result_run (*out, plan, false, err))
      return true;
   mt_result_free (*out);
   return false;
}

bool mt_keys_there (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtResult **out, MtError *err)
{
   MtParams p = {0};
   return run_keys (st, t, select_keys (st, t, bounds, &p), &p, out, err);
}

/* Whether MongoDB's order of two values may not be SQL's, which looks between the bounds: NaN is the least there, binary goes by its length first. */
static bool other_order (MtVal a, MtVal b)
{
   return a.type == MT_DOC || a.type == MT_ARRAY || (a.type == MT_BINARY && a.len != b.len) || mt_v_is_nan (a);
}

void mt_key_bounds_add (MtArena *a, MtKeyBounds *b, MtVal v)
{
   if (mt_is_nullish (v)) /* the writer refuses it */
      return;
   b->open |= other_order (v, b->any ? b->low : v);
   if (!b->any || mt_v_compare (v, b->low) < 0)
      b->low = mt_v_copy (a, v);
   if (!b->any || mt_v_compare (v, b->high) > 0)
      b->high = mt_v_copy (a, v);
   b->any = true;
}

/* ---- looking for equal keys ---- */

/* GROUP BY key HAVING count (*) > 1 LIMIT 1 */
static void only_doubled (MtStatement *st, MtSelect *s, size_t key_count)
{
   MtGroupItem **last = &s->plain.group_by;
   MtTarget *t = s->plain.targets;
   for (size_t i = 0; i < key_count; i++, t = t->next) {
      *last = MT_NEW (st->arena, MtGroupItem);
      **last = (MtGroupItem){.kind = MT_GROUP_EXPR, .span = st->stmt->span, .expr = t->expr};
      last = &(*last)->next;
   }
   MtExpr *count = node (st, MT_EXPR_CALL), *one = node (st, MT_EXPR_INTEGER), *more = node (st, MT_EXPR_OPERATOR);
   count->call.name = MT_NEW (st->arena, MtNameList);
   count->call.name->name = (MtName){.text = "count", .span = st->stmt->span};
   count->call.star = true;
   one->text = "1";
   more->op.op = ">";
   more->op.op_span = st->stmt->span;
   more->op.left = count;
   more->op.right = one;
   s->plain.having = more;
   s->limit = one;
}

static bool violated (MtStatement *st, const MtTable *t, MtResult *r, MtError *err)
{
   MtBuf names = {0}, values = {0};
   for (size_t i = 0; i < t->key_count; i++) {
      MtError ignored;
      mt_buf_printf (&names, "%s%s", i ? ", " : "", t->columns[t->key[i]].name);
      mt_buf_adds (&values, i ? ", " : "");
      mt_value_print (r->columns[i].type, r->values[i], &st->env.style, &values, &ignored);
   }
   bool alters = st->stmt->kind == MT_STMT_ALTER_TABLE;
   mt_error (err, MT_E_UNIQUE, alters ? "could not create unique index \"%s_pkey\"" : "duplicate key value violates unique constraint \"%s_pkey\"", t->name);
   mt_error_detail (err, "Key (%.200s)=(%.200s) %s.", names.p ? names.p : "", values.p ? values.p : "", alters ? "is duplicated" : "already exists");
   mt_buf_free (&names);
   mt_buf_free (&values);
   return false;
}

void mt_key_refused (MtStatement *st, const MtTable *t, MtError *err)
{
   MtError said = *err;
   bool own = strncmp (said.message, "duplicate key value", 19) == 0 || strncmp (said.message, "could not create", 16) == 0;
   if (!t->unique || own || strcmp (said.sqlstate, MT_E_UNIQUE) != 0 || !mt_engine_caps (st->session->engine)->unique_indexes)
      return;
   bool alters = st->stmt->kind == MT_STMT_ALTER_TABLE;
   mt_error (err, MT_E_UNIQUE, alters ? "could not create unique index \"%s_pkey\"" : "duplicate key value violates unique constraint \"%s_pkey\"", t->name);
   mt_error_detail (err, "The server says: %s.", said.message);
}

bool mt_check_unique (MtStatement *st, const MtTable *t, const MtKeyBounds *bounds, MtError *err)
{
   MtParams p = {0};
   MtResult *r;
   bool more;
   if (!t->unique || (bounds && !bounds->any))
      return true;
   MtSelect *select = select_keys (st, t, bounds, &p);
   only_doubled (st, select, t->key_count);
   /* The step may have made partitions. */
   if (!mt_engine_see (st->session->engine, err) || !mt_partitions_look (st->session->engine, &t, 1, err) || !run_keys (st, t, select, &p, &r, err))
      return false;
   bool ok = mt_result_next (r, &more, err) && (!more || violated (st, t, r, err));
   mt_result_free (r);
   return ok;
}
