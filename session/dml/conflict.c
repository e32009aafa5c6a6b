/* INSERT … ON CONFLICT. All rows are collected, and compared with the keys in the table. Rows with
 * existing keys are ignored, or change the table by UPDATE … FROM the rows as "excluded". Rows with
 * new keys are inserted. All changes are one step, under the writer's lock (mt_write_begin). */
#include "session/dml/dml.h"
#include "types/datetime.h"
#include "layouts/expire.h"
#include "engine/pipe.h"
#include "session/dml/change.h"
#include "session/dml/conflict.h"

#include <string.h>

/* ---- the clause ---- */

static bool no_arbiter (MtError *err)
{
   return mt_error (
      err, MT_E_INVALID_COLUMN_REF,
      "there is no unique or exclusion constraint matching the ON CONFLICT specification");
}

/* Checks that the ON CONFLICT clause lists the columns of the PRIMARY KEY, in any order. */
static bool names_key (const MtTable *t, const MtExprList *target, MtError *err)
{
   size_t n = 0;
   bool seen[MT_MAX_COLUMNS] = {false};
   for (const MtExprList *e = target; e; e = e->next) {
      int at;
      if (e->expr->kind != MT_EXPR_COLUMN || e->expr->column.parts->next)
         return no_arbiter (err);
      const MtName *name = &e->expr->column.parts->name;
      at = mt_table_column (t, name->text, mt_name_is_exact (name));
      if (at < 0)
         return mt_error_at (err, name->span, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                             name->text) ||
                mt_column_near (t, name->text, err);
      n += !seen[at];
      seen[at] = true;
   }
   for (size_t i = 0; i < t->key_count; i++)
      if (!seen[t->key[i]])
         return no_arbiter (err);
   return (t->unique && n == t->key_count) || no_arbiter (err);
}

static bool check_target (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtOnConflict *c = st->stmt->insert.conflict;
   MtArena *a = st->arena;
   if (c->constraint.text &&
       (!t->unique || !mt_ieq (c->constraint.text, mt_printf (a, "%s_pkey", t->name))))
      return mt_error (err, MT_E_UNDEFINED_OBJECT,
                       "constraint \"%s\" for table \"%s\" does not exist", c->constraint.text,
                       t->name);
   if (c->target)
      return names_key (t, c->target, err);
   if (!c->updates || c->constraint.text)
      return true;
   mt_error_at (err, c->span, MT_E_SYNTAX,
                "ON CONFLICT DO UPDATE requires inference specification or constraint name");
   return mt_error_hint (err, "For example, ON CONFLICT (column_name).");
}

bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err)
{
   return check_target (st, t, err) && (!mt_engine_caps (st->session->engine)->unique_indexes ||
                                        mt_conflict_check_server (st, t, err));
}

/* ---- DO UPDATE as an UPDATE ---- */

MtExpr *mt_qualified_column (MtStatement *st, const char *table, const MtColumn *c)
{
   MtExpr *e = mt_column_expr (st->arena, c, st->stmt->span);
   MtNameList *owner = MT_NEW (st->arena, MtNameList);
   owner->name = (MtName) {table, true, e->span};
   owner->next = e->column.parts;
   e->column.parts = owner;
   return e;
}

/* Adds a condition `left op right` to a list. */
static void add_condition (MtStatement *st, MtExprList ***last, MtExpr *left, const char *op,
                           MtExpr *right)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   *e = (MtExpr) {.kind = MT_EXPR_OPERATOR, .span = st->stmt->span};
   e->op.op = op;
   e->op.op_span = e->span;
   e->op.left = left;
   e->op.right = right;
   **last = MT_NEW (st->arena, MtExprList);
   (**last)->expr = e;
   *last = &(**last)->next;
}

/* Makes table.key = excluded.key AND …, with the clause's own WHERE. The condition is limited to
 * times for which keys are known (mt_keys_since). */
static MtExpr *update_condition (MtStatement *st, const MtTable *t, const char *name)
{
   const MtOnConflict *c = st->stmt->insert.conflict;
   const MtColumn *time = t->time_column >= 0 ? &t->columns[t->time_column] : NULL;
   MtError ignored;
   MtExpr *all = MT_NEW (st->arena, MtExpr), *from;
   *all = (MtExpr) {
      .kind = MT_EXPR_AND, .span = st->stmt->span, .depth = c->where ? c->where->depth + 1 : 1};
   MtExprList **last = &all->list;
   int64_t since = mt_keys_since (st, t);
   for (size_t i = 0; i < t->key_count; i++)
      add_condition (st, &last, mt_qualified_column (st, name, &t->columns[t->key[i]]), "=",
                     mt_qualified_column (st, "excluded", &t->columns[t->key[i]]));
   if (since != MT_NEVER_EXPIRES &&
       (from = mt_change_constant (st, time, mt_v_date (since), &ignored)))
      add_condition (st, &last, mt_qualified_column (st, name, time), ">=", from);
   if (c->where) {
      *last = MT_NEW (st->arena, MtExprList);
      (*last)->expr = c->where;
   }
   return all->list->next ? all : all->list->expr;
}

/* Makes the UPDATE statement for DO UPDATE. The FROM item `excluded` gets the alias "excluded". */
static MtStmt *make_update (MtStatement *st, const MtTable *t, MtFrom *excluded)
{
   const MtStmt *s = st->stmt;
   MtStmt *u = MT_NEW (st->arena, MtStmt);
   u->kind = MT_STMT_UPDATE;
   u->span = s->span;
   u->change.schema = s->insert.schema;
   u->change.table = s->insert.table;
   u->change.alias = s->insert.alias;
   u->change.set = s->insert.conflict->set;
   u->change.from = excluded;
   u->change.where = update_condition (st, t,
                                       s->insert.alias.text ? s->insert.alias.text : t->name);
   excluded->alias = (MtName) {"excluded", false, s->span};
   excluded->span = s->span;
   return u;
}

MtStmt *mt_conflict_update (MtStatement *st, const MtTable *t)
{
   return make_update (st, t, MT_NEW (st->arena, MtFrom));
}

bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err)
{
   MtFrom *same = MT_NEW (st->arena, MtFrom);
   MtStatement inner = *st;
   const MtPlan *returned;
   if (!st->stmt->insert.conflict->updates)
      return true;
   same->kind = MT_FROM_TABLE; /* a table with the same column types */
   same->table.name = (MtName) {t->name, true, st->stmt->span};
   inner.stmt = make_update (st, t, same);
   return mt_check_change (&inner, &returned, err);
}

/* ---- the rows ---- */

enum { ABSENT, THERE, DONE };

static bool report_second_change (MtError *err)
{
   mt_error (err, MT_E_CARDINALITY,
             "ON CONFLICT DO UPDATE command cannot affect row a second time");
   return mt_error_hint (
      err, "Ensure that no rows proposed for insertion within the same command have duplicate "
           "constrained values.");
}

/* Maps equal values of the key to the same value: an interval becomes its days (30 a month), and
 * the rest below a day. */
static MtVal key_value (MtArena *a, MtType type, MtVal v)
{
   const int64_t day_us = 86400000000;
   if (type.id != MT_T_INTERVAL || mt_is_nullish (v))
      return v;
   MtInterval iv = mt_v_to_interval (v);
   int64_t less = iv.us % day_us, days = iv.us / day_us + iv.days + (int64_t) iv.months * 30;
   if (less < 0) {
      less += day_us;
      days--;
   }
   bson_t *doc = mt_doc_new (a);
   mt_doc_add (doc, "d", mt_v_int64 (days));
   mt_doc_add (doc, "us", mt_v_int64 (less));
   return mt_v_doc (doc);
}

bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err)
{
   const MtTable *t = c->table;
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_check_constraints (c->st, t, row, err) &&
             mt_row_write (row, t->column_count, &doc, err) && mt_spool_add (c->rows, &doc, err);
   bson_destroy (&doc);
   if (!ok || !t->unique)
      return ok;
   for (size_t i = 0; i < t->key_count; i++)
      c->key[i] = key_value (c->st->arena, t->columns[t->key[i]].type, row[t->key[i]]);
   if (c->st->stmt->insert.conflict->updates && mt_row_map_find (c->keys, c->key))
      return report_second_change (err);
   c->key[t->key_count] = mt_v_int32 (ABSENT);
   mt_row_map_keep (c->keys, c->key);
   mt_key_bounds_add (c->st->arena, &c->bounds, row[t->key[0]]);
   return true;
}

void mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out)
{
   *out = (MtConflictRows) {.st = st,
                            .table = t,
                            .rows = mt_spool_new (st->arena),
                            .key = MT_NEW_N (st->arena, MtVal, t->key_count + 2)};
   out->keys = mt_row_map_new (st->arena, t->key_count, 1, true);
}

static bool find_existing_keys (MtConflictRows *c, MtError *err)
{
   MtResult *r;
   bool more = true, ok = true;
   if (!c->bounds.any)
      return true;
   if (!mt_keys_there (c->st, c->table, &c->bounds, &r, err))
      return false;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      MtArena *a = mt_arena_new ("key", NULL);
      for (size_t i = 0; i < c->table->key_count && ok; i++)
         ok = mt_value_normalize (a, r->columns[i].type, r->values[i], &c->key[i], err);
      for (size_t i = 0; i < c->table->key_count && ok; i++)
         c->key[i] = key_value (a, r->columns[i].type, c->key[i]);
      MtVal *state = ok ? mt_row_map_find (c->keys, c->key) : NULL;
      c->rest += state && state->i == ABSENT;
      if (state)
         *state = mt_v_int32 (THERE);
      mt_arena_free (a);
   }
   mt_result_free (r);
   return ok;
}

/* Returns the state (ABSENT, THERE or DONE) of a row's key; NULL: the table has no key. */
static MtVal *state_of (MtConflictRows *c, const MtVal *row)
{
   if (!c->table->unique)
      return NULL;
   for (size_t i = 0; i < c->table->key_count; i++)
      c->key[i] = key_value (c->st->arena, c->table->columns[c->table->key[i]].type,
                             row[c->table->key[i]]);
   return mt_row_map_find (c->keys, c->key);
}

static bool feed_new (void *ctx, MtWriteStep *w, MtError *err)
{
   MtConflictRows *c = ctx;
   MtVal *row = MT_NEW_N (c->st->arena, MtVal, c->table->column_count + 1);
   const bson_t *doc;
   bool ok = mt_spool_rewind (c->rows, err);
   while (ok && (ok = mt_spool_next (c->rows, &doc, err)) && doc) {
      mt_row_read (doc, c->table->column_count, row);
      MtVal *state = state_of (c, row);
      if (state && state->i != ABSENT)
         continue;
      if (state)
         *state = mt_v_int32 (DONE);
      c->affected++;
      ok = mt_write_add (w, row, err) && mt_returning_add (c->returning, row, err);
   }
   return ok && mt_returning_end (c->returning, err);
}

void mt_conflict_values (MtStatement *st, const MtTable *t, const char *name, const char *number,
                         MtConflictValues *out)
{
   MtFrom *f = MT_NEW (st->arena, MtFrom);
   MtSelect *values = MT_NEW (st->arena, MtSelect);
   MtNameList **next = &f->column_aliases;
   values->kind = MT_SELECT_VALUES;
   values->span = f->span = st->stmt->span;
   f->kind = MT_FROM_SUBQUERY;
   f->subquery = values;
   f->alias = (MtName) {name, true, st->stmt->span};
   for (size_t i = 0; i < t->column_count + (number ? 1 : 0); i++) {
      *next = MT_NEW (st->arena, MtNameList);
      (*next)->name = (MtName) {i < t->column_count ? t->columns[i].name : number, true,
                                st->stmt->span};
      next = &(*next)->next;
   }
   *out = (MtConflictValues) {.st = st, .table = t, .from = f, .numbered = number != NULL};
}

void mt_conflict_value (MtConflictValues *v, MtParams *p, const MtVal *row, int32_t number)
{
   MtStatement *st = v->st;
   MtSelect *values = v->from->subquery;
   MtRowList *r = MT_NEW (st->arena, MtRowList);
   MtExprList **end = &r->row;
   size_t width = v->table->column_count;
   r->span = st->stmt->span;
   for (size_t i = 0; i < width + v->numbered; i++) {
      *end = MT_NEW (st->arena, MtExprList);
      (*end)->expr = i < width ? mt_parameter_expr (st, p, v->table->columns[i].type,
                                                    mt_v_copy (st->arena, row[i]))
                               : mt_parameter_expr (st, p, (MtType) {.id = MT_T_INT4},
                                                    mt_v_int32 (number));
      end = &(*end)->next;
   }
   if (values->values.last)
      values->values.last->next = r;
   else
      values->values.rows = r;
   values->values.last = r;
}

void mt_conflict_params (MtStatement *st, size_t more, MtParams *out)
{
   const MtParams *outer = st->env.params;
   size_t before = outer ? (size_t) outer->count : 0;
   *out = (MtParams) {.types = MT_NEW_N (st->arena, MtType, before + more + 1),
                      .values = MT_NEW_N (st->arena, MtVal, before + more + 1),
                      .count = (int) before};
   for (size_t i = 0; i < before; i++) {
      out->types[i] = outer->types[i];
      out->values[i] = outer->values[i];
   }
}

/* Makes (VALUES of the rows with existing keys) AS excluded (columns). */
static bool excluded_rows (MtConflictRows *c, MtParams *p, MtFrom **out, MtError *err)
{
   size_t width = c->table->column_count;
   MtVal *row = MT_NEW_N (c->st->arena, MtVal, width + 1);
   MtConflictValues values;
   const bson_t *doc;
   mt_conflict_values (c->st, c->table, "excluded", NULL, &values);
   bool ok = mt_spool_rewind (c->rows, err);
   while (ok && (ok = mt_spool_next (c->rows, &doc, err)) && doc) {
      mt_row_read (doc, width, row);
      const MtVal *state = state_of (c, row);
      if (state && state->i == THERE)
         mt_conflict_value (&values, p, row, 0);
   }
   *out = values.from;
   return ok;
}

static bool update_rest (MtConflictRows *c, MtError *err)
{
   MtStatement inner = *c->st;
   MtParams p;
   MtFrom *excluded;
   uint64_t changed;
   if (c->rest * c->table->column_count > INT16_MAX * (size_t) MT_MAX_COLUMNS)
      return mt_error (err, MT_E_LIMIT, "too many rows conflict");
   mt_conflict_params (c->st, c->rest * c->table->column_count, &p);
   if (!excluded_rows (c, &p, &excluded, err))
      return false;
   inner.stmt = make_update (c->st, c->table, excluded);
   inner.env.params = &p;
   if (!mt_change_for (&inner, c->returning, &changed, err))
      return false;
   c->affected += changed;
   /* After the change the catalog has new statistics, to which feed_new adds the new rows. */
   const MtTable *t = c->table;
   return mt_catalog_find_among (c->st->session->catalog,
                                 t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES, t->name,
                                 true, &c->table, err);
}

bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err)
{
   if (c->table->unique && mt_engine_caps (c->st->session->engine)->unique_indexes)
      return mt_conflict_write_server (c, returning, err);
   bool updates = c->st->stmt->insert.conflict->updates;
   c->returning = returning;
   /* Existing rows change first, so that sub-selects do not see the new rows. */
   return find_existing_keys (c, err) && (!updates || c->rest == 0 || update_rest (c, err)) &&
          mt_write_step (c->st, c->table, feed_new, c, err);
}
