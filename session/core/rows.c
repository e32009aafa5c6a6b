#include "session/core/schemas.h"
#include "session/core/rows.h"

#include "base/bson.h"
#include "session/core/core.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1000 };

/* ---- a query over rows in memory ---- */

/* Returns capabilities by which everything runs in process, as it must for rows in memory. */
static const MtCaps *local_caps (const MtSession *s, MtCaps *out)
{
   *out = *mt_engine_caps (s->engine);
   out->local_operators = true;
   out->lacking = NULL;
   return out;
}

/* Returns the stages of a pipeline without the first, which is an empty $documents. */
static bson_t *without_first (MtArena *a, const bson_t *stages)
{
   bson_t *rest = mt_doc_new (a);
   bson_iter_t it;
   if (bson_iter_init (&it, stages) && bson_iter_next (&it))
      while (bson_iter_next (&it))
         mt_doc_push (rest, mt_v_from_iter (&it));
   return rest;
}

bool mt_rows_plan (MtStatement *st, MtQuery *q, MtPlan **out, MtError *err)
{
   MtCaps caps;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.caps = local_caps (st->session, &caps);
   settings.require_full_pushdown = false;
   q->rel.kind = MT_REL_VALUES;
   q->rel.rows = NULL;
   q->rel.row_count = 0;
   if (!mt_plan_query (st->arena, q, &settings, out, err))
      return false;
   (*out)->remote = without_first (st->arena, (*out)->remote);
   return true;
}

/* Writes "c" and the number i to `key`. snprintf would be too slow here. */
static void row_key (size_t i, char key[24])
{
   char *p = key + 23;
   *p = 0;
   do
      *--p = (char) ('0' + i % 10);
   while (i /= 10);
   *--p = 'c';
   memmove (key, p, (size_t) (key + 24 - p));
}

bool mt_row_write (const MtVal *row, size_t width, bson_t *out, MtError *err)
{
   for (size_t i = 0; i < width; i++) {
      char key[24];
      row_key (i, key);
      if (!mt_doc_append (out, key, mt_is_nullish (row[i]) ? mt_v_null () : row[i]))
         return mt_error (err, MT_E_LIMIT, "a row is too large");
   }
   return true;
}

typedef struct Given {
   MtVal *const *rows;
   size_t count, width, at;
   bson_t doc;
   bool made;
} Given;

static bool next_given (void *ctx, const bson_t **doc, MtError *err)
{
   Given *g = ctx;
   *doc = NULL;
   if (g->at == g->count)
      return true;
   const MtVal *row = g->rows[g->at++];
   if (g->made)
      bson_reinit (&g->doc);
   else
      bson_init (&g->doc);
   g->made = true;
   *doc = &g->doc;
   return mt_row_write (row, g->width, &g->doc, err);
}

bool mt_rows_run (MtStatement *st, const MtGivenRows *rows, MtRowOut out, void *ctx, MtError *err)
{
   Given g = {.rows = rows->rows, .count = rows->count, .width = rows->width};
   size_t count = rows->count;
   MtCursor *c = NULL;
   const bson_t *doc = NULL;
   size_t at = 0;
   MtOverArgs over = {
      .next = next_given, .ctx = &g, .pipeline = rows->plan->remote, .shared = rows->plan->shared};
   bool ok = mt_engine_aggregate_over (st->session->engine, &over, &c, err);
   while (ok && (ok = mt_cursor_next (c, &doc, err)) && doc)
      ok = out (ctx, at++, doc, err);
   if (c)
      mt_cursor_free (c);
   if (g.made)
      bson_destroy (&g.doc);
   return ok && (at == count || mt_error (err, MT_E_INTERNAL,
                                          "%zu rows were computed, but %zu came back", count, at));
}

/* ---- building syntax trees ---- */

void mt_name_table (MtStatement *st, const MtTable *t, MtFrom *f)
{
   const char *rest;
   f->table.name = (MtName) {t->name, true, st->stmt->span};
   if (!t->temporary && !mt_path_is_plain (st->session) &&
       !mt_schema_of (st->session, st->arena, t->name, &rest))
      f->table.schema = (MtName) {"public", true, st->stmt->span};
}

MtSelect *mt_rows_select (MtStatement *st, const MtTable *t, const MtName *alias, MtTarget *targets,
                          MtExpr *where)
{
   MtSelect *s = MT_NEW (st->arena, MtSelect);
   MtFrom *f = MT_NEW (st->arena, MtFrom);
   f->kind = MT_FROM_TABLE;
   f->span = st->stmt->span;
   mt_name_table (st, t, f);
   if (alias)
      f->alias = *alias;
   s->kind = MT_SELECT_PLAIN;
   s->span = st->stmt->span;
   s->plain.targets = targets;
   s->plain.from = f;
   s->plain.where = where;
   return s;
}

MtExpr *mt_parameter_expr (MtStatement *st, MtParams *p, MtType type, MtVal value)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   p->types[p->count] = type;
   p->values[p->count] = value;
   *e = (MtExpr) {.kind = MT_EXPR_PARAM, .span = st->stmt->span, .param = ++p->count};
   return e;
}

MtExpr *mt_column_expr (MtArena *a, const MtColumn *c, MtSpan span)
{
   MtExpr *e = MT_NEW (a, MtExpr);
   e->kind = MT_EXPR_COLUMN;
   e->span = span;
   e->column.parts = MT_NEW (a, MtNameList);
   e->column.parts->name = (MtName) {c->name, true, span};
   return e;
}

MtTarget *mt_rows_columns (MtStatement *st, const MtTable *t)
{
   MtTarget *first = NULL, **last = &first;
   for (size_t i = 0; i < t->column_count; i++) {
      MtTarget *x = MT_NEW (st->arena, MtTarget);
      x->expr = mt_column_expr (st->arena, &t->columns[i], st->stmt->span);
      *last = x;
      last = &x->next;
   }
   return first;
}

/* ---- RETURNING ---- */

/* Returns the changed table in the FROM of the bound query q, where other items are joined to it on
 * the right; NULL: it is not found. */
static MtRel *changed_table (MtQuery *q)
{
   MtRel *rel = &q->rel;
   while (rel->kind == MT_REL_JOIN || (rel->kind == MT_REL_QUERY && rel->query->arm_count == 0))
      rel = rel->kind == MT_REL_JOIN ? rel->join->left : &rel->query->rel;
   return q->arm_count == 0 && rel->kind == MT_REL_TABLE ? rel : NULL;
}

/* Returns whether sub-selects in RETURNING may refer to the changed rows; 0A000 if not. They see
 * the tables as they were before the statement. */
static bool may_refer_to_rows (MtStatement *st, MtQuery *q, MtSpan span, MtError *err)
{
   bool early = st->stmt->kind != MT_STMT_INSERT ||
                (mt_engine_caps (st->session->engine)->local_operators &&
                 !st->stmt->insert.conflict);
   if (early && changed_table (q))
      return true;
   mt_error_at (err, span, MT_E_FEATURE,
                "a sub-select that refers to the changed table is not supported here");
   return mt_error_hint (err,
                         "Remove the reference: other sub-selects run once, before the statement.");
}

/* Plans the query of RETURNING over the current batch of rows, which replace the table in its
 * FROM. */
static bool plan_around (MtReturning *r, MtQuery *q, MtPlan **out, MtError *err)
{
   MtArena *a = r->st->arena;
   MtRel *rel = changed_table (q);
   MtPlanSettings settings = mt_plan_settings (r->st->session, &r->st->env.style);
   settings.layout = settings.cut = NULL;
   settings.require_full_pushdown = false;
   rel->kind = MT_REL_VALUES;
   rel->row_count = (int) r->count;
   rel->rows = MT_NEW_N (a, MtX **, r->count + 1);
   for (size_t i = 0; i < r->count; i++) {
      rel->rows[i] = MT_NEW_N (a, MtX *, r->width + 1);
      for (size_t k = 0; k < r->width; k++) {
         MtX *x = rel->rows[i][k] = MT_NEW (a, MtX);
         *x = (MtX) {.kind = MT_X_CONST,
                     .type = rel->columns[k].type,
                     .nullable = mt_is_nullish (r->rows[i][k]),
                     .depth = 1,
                     .span = MT_NO_SPAN};
         x->value = mt_is_nullish (r->rows[i][k]) ? mt_v_null () : mt_v_copy (a, r->rows[i][k]);
      }
   }
   return mt_plan_query (a, q, &settings, out, err);
}

bool mt_returning_open (MtStatement *st, const MtTable *t, const MtReturningClause *clause,
                        MtReturning *out, MtError *err)
{
   MtTarget *list = clause->list;
   MtQuery *q;
   *out = (MtReturning) {.st = st, .width = t->column_count};
   if (!list)
      return true;
   MtSelect *s = mt_rows_select (st, t, clause->alias, list, NULL);
   s->with = clause->with;
   s->plain.returning = true;
   if (!mt_bind_select (st->arena, &st->env, s, &q, err))
      return false;
   if (q->grouped)
      return mt_error_at (err, list->expr->span, MT_E_GROUPING,
                          "aggregate functions are not allowed in RETURNING");
   if (q->windows)
      return mt_error_at (err, list->expr->span, MT_E_WINDOWING,
                          "window functions are not allowed in RETURNING");
   if (q->arm_count == 0 && q->rel.kind == MT_REL_TABLE) {
      if (!mt_rows_plan (st, q, &out->plan, err))
         return false;
   } else if (!may_refer_to_rows (st, q, list->expr->span, err) ||
              !plan_around (out, q, &out->plan, err))
      return false;
   out->around = q->rel.kind == MT_REL_VALUES ? NULL : s;
   out->a = mt_arena_new ("returned rows", st->arena);
   out->rows = MT_NEW_N (st->arena, MtVal *, BATCH);
   out->spool = mt_spool_new (st->arena);
   return true;
}

static bool keep_row (void *ctx, size_t row, const bson_t *doc, MtError *err)
{
   return mt_spool_add (((MtReturning *) ctx)->spool, doc, err);
}

static bool run_around (MtReturning *r, MtError *err)
{
   MtQuery *q;
   MtPlan *plan;
   const bson_t *doc;
   if (!mt_bind_select (r->st->arena, &r->st->env, r->around, &q, err) ||
       !plan_around (r, q, &plan, err))
      return false;
   MtResult *result = mt_result_new (r->st->session, mt_arena_new ("returned", NULL));
   bool ok = mt_result_run (result, plan, false, err);
   while (ok && (ok = mt_result_next_doc (result, &doc, err)) && doc)
      ok = keep_row (r, 0, doc, err);
   mt_result_free (result);
   return ok;
}

static bool return_batch (MtReturning *r, MtError *err)
{
   MtGivenRows rows = {r->plan, r->rows, r->count, r->width};
   bool ok = r->around ? run_around (r, err) : mt_rows_run (r->st, &rows, keep_row, r, err);
   mt_arena_reset (r->a);
   r->count = 0;
   return ok;
}

bool mt_returning_add (MtReturning *r, const MtVal *row, MtError *err)
{
   if (!r->plan)
      return true;
   MtVal *copy = MT_NEW_N (r->a, MtVal, r->width + 1);
   for (size_t i = 0; i < r->width; i++)
      copy[i] = mt_v_copy (r->a, row[i]);
   r->rows[r->count++] = copy;
   return r->count < BATCH || return_batch (r, err);
}

bool mt_returning_end (MtReturning *r, MtError *err)
{
   return !r->plan || r->count == 0 || return_batch (r, err);
}

bool mt_returning_finish (MtReturning *r, const char *tag, MtError *err)
{
   MtResult *result = r->st->result;
   mt_result_set_tag (result, tag);
   if (!r->plan)
      return true;
   return mt_spool_rewind (r->spool, err) &&
          mt_result_rows (result, r->plan, mt_spool_next, r->spool, err);
}
