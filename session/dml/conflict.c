/* INSERT … ON CONFLICT. Collects all rows, and searches their keys in the table. Rows whose key
 * exists are ignored, or change the table by UPDATE … FROM the rows as "excluded". The other rows
 * are inserted. All of this is one step, under the writer's lock (mt_write_begin). */
#include "session/dml/dml.h"
#include "types/datetime.h"
#include "layouts/expire.h"
#include "engine/pipe.h"
#include "session/dml/change.h"
#include "session/core/checks.h"
#include "session/dml/conflict.h"
#include "planner/emit/eval.h"

#include <string.h>

bool mt_conflict_check (MtStatement *st, const MtTable *t, MtError *err)
{
   const MtTableKey **keys;
   size_t n;
   return mt_conflict_arbiters (st, t, &keys, &n, err) &&
          (!mt_engine_caps (st->session->engine)->unique_indexes ||
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

static void add_to_list (MtStatement *st, MtExprList ***last, MtExpr *e)
{
   **last = MT_NEW (st->arena, MtExprList);
   (**last)->expr = e;
   *last = &(**last)->next;
}

/* Appends the condition `left op right` to a list of conditions. */
static void add_condition (MtStatement *st, MtExprList ***last, MtExpr *left, const char *op,
                           MtExpr *right)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   *e = (MtExpr) {.kind = MT_EXPR_OPERATOR, .span = st->stmt->span};
   e->op.op = op;
   e->op.op_span = e->span;
   e->op.left = left;
   e->op.right = right;
   add_to_list (st, last, e);
}

/* Appends `left IS NOT DISTINCT FROM right` to a list of conditions. */
static void add_same (MtStatement *st, MtExprList ***last, MtExpr *left, MtExpr *right)
{
   MtExpr *e = MT_NEW (st->arena, MtExpr);
   *e = (MtExpr) {.kind = MT_EXPR_IS, .span = st->stmt->span};
   e->is.test = MT_IS_DISTINCT_FROM;
   e->is.negated = true;
   e->is.left = left;
   e->is.right = right;
   add_to_list (st, last, e);
}

/* Sets *out to the WHERE of the UPDATE: table.key = excluded.key for all columns of key k, AND the
 * WHERE of DO UPDATE. It also excludes times for which the keys of rows are not known
 * (mt_keys_since). */
static bool update_condition (MtStatement *st, const MtTable *t, const MtTableKey *k,
                              const char *name, MtExpr **out, MtError *err)
{
   const MtOnConflict *c = st->stmt->insert.conflict;
   const MtColumn *time = t->time_column >= 0 ? &t->columns[t->time_column] : NULL;
   MtError ignored;
   MtExpr *all = MT_NEW (st->arena, MtExpr), *from, *where = NULL;
   *all = (MtExpr) {
      .kind = MT_EXPR_AND, .span = st->stmt->span, .depth = c->where ? c->where->depth + 1 : 1};
   MtExprList **last = &all->list;
   int64_t since = mt_keys_since (st, t);
   for (size_t i = 0; i < k->count; i++) {
      const MtColumn *column = &t->columns[k->columns[i]];
      MtExpr *left = mt_qualified_column (st, name, column),
             *right = mt_qualified_column (st, "excluded", column);
      if (k->nulls_equal)
         add_same (st, &last, left, right);
      else
         add_condition (st, &last, left, "=", right);
   }
   if (since != MT_NEVER_EXPIRES &&
       (from = mt_change_constant (st, time, mt_v_date (since), &ignored)))
      add_condition (st, &last, mt_qualified_column (st, name, time), ">=", from);
   if (k->where &&
       (!mt_parse_expr (st->arena, k->where->sql, strlen (k->where->sql), &where, err) ||
        !mt_qualify_expr (st->arena, where, name)))
      return mt_error_is_set (err) ||
             mt_error (err, MT_E_INTERNAL, "a condition of an index has a sub-select");
   if (where)
      add_to_list (st, &last, where);
   if (where && where->depth >= all->depth)
      all->depth = where->depth + 1;
   if (c->where)
      add_to_list (st, &last, c->where);
   *out = all->list->next ? all : all->list->expr;
   return true;
}

/* Sets *out to the UPDATE statement that DO UPDATE stands for. `excluded`, an item of FROM with the
 * new rows, gets the alias "excluded". */
static bool make_update (MtStatement *st, const MtTable *t, MtFrom *excluded, MtStmt **out,
                         MtError *err)
{
   const MtStmt *s = st->stmt;
   MtStmt *u = MT_NEW (st->arena, MtStmt);
   const MtTableKey **keys;
   size_t n;
   *out = u;
   if (!mt_conflict_arbiters (st, t, &keys, &n, err))
      return false;
   u->kind = MT_STMT_UPDATE;
   u->span = s->span;
   u->change.schema = s->insert.schema;
   u->change.table = s->insert.table;
   u->change.alias = s->insert.alias;
   u->change.set = s->insert.conflict->set;
   u->change.from = excluded;
   excluded->alias = (MtName) {"excluded", false, s->span};
   excluded->span = s->span;
   return n == 0 ||
          update_condition (st, t, keys[0], s->insert.alias.text ? s->insert.alias.text : t->name,
                            &u->change.where, err);
}

bool mt_conflict_update (MtStatement *st, const MtTable *t, MtStmt **out, MtError *err)
{
   return make_update (st, t, MT_NEW (st->arena, MtFrom), out, err);
}

bool mt_conflict_bind (MtStatement *st, const MtTable *t, MtError *err)
{
   MtFrom *same = MT_NEW (st->arena, MtFrom);
   MtStatement inner = *st;
   const MtPlan *returned;
   if (!st->stmt->insert.conflict->updates)
      return true;
   same->kind = MT_FROM_TABLE; /* a table with the same column types */
   mt_name_table (st, t, same);
   MtStmt *update;
   if (!make_update (st, t, same, &update, err))
      return false;
   inner.stmt = update;
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

/* Returns a value that is the same for all values which SQL considers equal. It changes only
 * intervals: to a number of days (a month has 30) and the rest of a day. */
static MtVal key_value (MtArena *a, MtType type, MtVal v)
{
   const int64_t day_us = 86400000000;
   if (mt_is_nullish (v))
      return mt_v_null ();
   if (type.id != MT_T_INTERVAL)
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

bool mt_arbiter_counts (MtConflictRows *c, const MtArbiter *b, const MtVal *row, bool *counts,
                        MtError *err)
{
   MtVal v;
   *counts = mt_key_counts (b->key, row);
   if (!*counts || !b->where)
      return true;
   if (!mt_eval_row (c->one, b->where, row, &c->st->env, &v, err))
      return false;
   *counts = v.type == MT_BOOL && v.i;
   mt_arena_reset (c->one);
   return true;
}

/* Sets b->values to the row's key. Returns false if the row cannot conflict by this key, or with an
 * error. */
static bool has_key (MtConflictRows *c, MtArbiter *b, const MtVal *row, MtError *err)
{
   const MtTableKey *k = b->key;
   bool counts;
   if (!mt_arbiter_counts (c, b, row, &counts, err) || !counts)
      return false;
   for (size_t i = 0; i < k->count; i++)
      b->values[i] = key_value (c->st->arena, c->table->columns[k->columns[i]].type,
                                row[k->columns[i]]);
   return true;
}

bool mt_conflict_add (MtConflictRows *c, const MtVal *row, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_check_constraints (c->st, c->table, row, err) &&
             mt_row_write (row, c->table->column_count, &doc, err) &&
             mt_spool_add (c->rows, &doc, err);
   bson_destroy (&doc);
   for (size_t i = 0; i < c->arbiter_count && ok; i++) {
      MtArbiter *b = &c->arbiters[i];
      if (!has_key (c, b, row, err)) {
         ok = !mt_error_is_set (err);
         continue;
      }
      if (c->st->stmt->insert.conflict->updates && mt_row_map_find (b->map, b->values))
         return report_second_change (err);
      b->values[b->key->count] = mt_v_int32 (ABSENT);
      mt_row_map_keep (b->map, b->values);
      mt_key_bounds_add (c->st->arena, b->key, &b->bounds, row);
   }
   return ok;
}

bool mt_conflict_open (MtStatement *st, const MtTable *t, MtConflictRows *out, MtError *err)
{
   const MtTableKey **keys;
   *out = (MtConflictRows) {.st = st,
                            .table = t,
                            .rows = mt_spool_new (st->arena),
                            .one = mt_arena_new ("row", st->arena)};
   if (!mt_conflict_arbiters (st, t, &keys, &out->arbiter_count, err))
      return false;
   out->arbiters = MT_NEW_N (st->arena, MtArbiter, out->arbiter_count + 1);
   for (size_t i = 0; i < out->arbiter_count; i++) {
      MtArbiter *b = &out->arbiters[i];
      b->key = keys[i];
      b->values = MT_NEW_N (st->arena, MtVal, b->key->count + 2);
      b->map = mt_row_map_new (st->arena, b->key->count, 1, true);
      if (b->key->where && !mt_check_bind (st, t, b->key->where, &b->where, err))
         return false;
   }
   return true;
}

static bool find_keys_of (MtConflictRows *c, MtArbiter *b, MtError *err)
{
   MtResult *r;
   bool more = true, ok = true;
   size_t count = b->key->count;
   if (!b->bounds.any && !b->bounds.any_null)
      return true;
   if (!mt_keys_there (c->st, c->table, b->key, &b->bounds, &r, err))
      return false;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      MtArena *a = mt_arena_new ("key", NULL);
      for (size_t i = 0; i < count && ok; i++)
         ok = mt_value_normalize (a, r->columns[i].type, r->values[i], &b->values[i], err);
      for (size_t i = 0; i < count && ok; i++)
         b->values[i] = key_value (a, r->columns[i].type, b->values[i]);
      MtVal *state = ok ? mt_row_map_find (b->map, b->values) : NULL;
      c->rest += state && state->i == ABSENT;
      if (state)
         *state = mt_v_int32 (THERE);
      mt_arena_free (a);
   }
   mt_result_free (r);
   return ok;
}

static bool find_existing_keys (MtConflictRows *c, MtError *err)
{
   for (size_t i = 0; i < c->arbiter_count; i++)
      if (!find_keys_of (c, &c->arbiters[i], err))
         return false;
   return true;
}

/* Sets states[i] to the state (ABSENT, THERE or DONE) that the key of arbiter i has for this row;
 * NULL: the row cannot conflict by this key. Sets *is to the greatest of these states. */
static bool find_states (MtConflictRows *c, const MtVal *row, MtVal **states, int *is, MtError *err)
{
   *is = ABSENT;
   for (size_t i = 0; i < c->arbiter_count; i++) {
      MtArbiter *b = &c->arbiters[i];
      states[i] = has_key (c, b, row, err) ? mt_row_map_find (b->map, b->values) : NULL;
      if (mt_error_is_set (err))
         return false;
      if (states[i] && states[i]->i > *is)
         *is = (int) states[i]->i;
   }
   return true;
}

static bool feed_new (void *ctx, MtWriteStep *w, MtError *err)
{
   MtConflictRows *c = ctx;
   MtVal *row = MT_NEW_N (c->st->arena, MtVal, c->table->column_count + 1),
         **states = MT_NEW_N (c->st->arena, MtVal *, c->arbiter_count + 1);
   const bson_t *doc;
   int is;
   bool ok = mt_spool_rewind (c->rows, err);
   while (ok && (ok = mt_spool_next (c->rows, &doc, err)) && doc) {
      mt_row_read (doc, c->table->column_count, row);
      if (!(ok = find_states (c, row, states, &is, err)) || is != ABSENT)
         continue;
      for (size_t i = 0; i < c->arbiter_count; i++)
         if (states[i])
            *states[i] = mt_v_int32 (DONE);
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

/* Sets *out to the item of FROM (VALUES …) AS excluded (columns), with the rows whose keys exist in
 * the table. */
static bool excluded_rows (MtConflictRows *c, MtParams *p, MtFrom **out, MtError *err)
{
   size_t width = c->table->column_count;
   MtVal *row = MT_NEW_N (c->st->arena, MtVal, width + 1),
         **states = MT_NEW_N (c->st->arena, MtVal *, c->arbiter_count + 1);
   MtConflictValues values;
   const bson_t *doc;
   int is;
   mt_conflict_values (c->st, c->table, "excluded", NULL, &values);
   bool ok = mt_spool_rewind (c->rows, err);
   while (ok && (ok = mt_spool_next (c->rows, &doc, err)) && doc) {
      mt_row_read (doc, width, row);
      if ((ok = find_states (c, row, states, &is, err)) && is == THERE)
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
   MtStmt *update;
   if (!make_update (c->st, c->table, excluded, &update, err))
      return false;
   inner.stmt = update;
   inner.env.params = &p;
   if (!mt_change_for (&inner, c->returning, &changed, err))
      return false;
   c->affected += changed;
   /* The change has saved new statistics in the catalog, so the table is read from there again. */
   const MtTable *t = c->table;
   return mt_catalog_find_among (c->st->session->catalog,
                                 t->temporary ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES, t->name,
                                 true, &c->table, err);
}

bool mt_conflict_write (MtConflictRows *c, MtReturning *returning, MtError *err)
{
   if (c->arbiter_count && mt_engine_caps (c->st->session->engine)->unique_indexes)
      return mt_conflict_write_server (c, returning, err);
   bool updates = c->st->stmt->insert.conflict->updates;
   c->returning = returning;
   /* Existing rows change before new rows are inserted, so that sub-selects do not see the new
    * rows. */
   return find_existing_keys (c, err) && (!updates || c->rest == 0 || update_rest (c, err)) &&
          mt_write_step (c->st, c->table, feed_new, c, err);
}
