/* The statement INSERT. */
#include "planner/emit/eval.h"
#include "session/core/core.h"
#include "session/dml/conflict.h"
#include "session/dml/dml.h"

#include <string.h>

typedef struct Insert {
   MtStatement *st;
   const MtTable *table;
   int *targets;  /* the table's column for each value */
   bool *ignored; /* by value: whether the column gets its default instead */
   size_t target_count;
   MtDefaults defaults;
   MtVal *row;
   uint64_t rows;
   MtReturning returning;
   MtConflictRows *conflict; /* receives the rows instead of the writer; NULL: no ON CONFLICT */
   MtSpool *kept;            /* receives them for MERGE; NULL: no MERGE */
} Insert;

static bool insert_targets (Insert *n, MtError *err)
{
   const MtTable *t = n->table;
   n->targets = MT_NEW_N (n->st->arena, int, t->column_count + 1);
   if (!n->st->stmt->insert.columns) {
      for (size_t i = 0; i < t->column_count; i++)
         n->targets[n->target_count++] = (int) i;
      return true;
   }
   for (const MtNameList *c = n->st->stmt->insert.columns; c; c = c->next) {
      int at;
      if (!mt_need_column (t, &c->name, &at, err))
         return false;
      for (size_t i = 0; i < n->target_count; i++)
         if (n->targets[i] == at)
            return mt_error_at (err, c->name.span, MT_E_DUPLICATE_COLUMN,
                                "column \"%s\" specified more than once", c->name.text);
      n->targets[n->target_count++] = at;
   }
   return true;
}

/* Returns how many of the `targets` target columns get values from the statement. VALUES can have
 * fewer values than the table has columns. The values of a query are counted later, by
 * mt_bind_assigned. */
static size_t source_width (const MtStmt *s, size_t targets)
{
   size_t n = 0;
   if (!s->insert.source || !mt_is_plain_values (s->insert.source))
      return s->insert.source ? targets : 0;
   for (const MtExprList *v = s->insert.source->values.rows->row; v && n < targets; v = v->next)
      n++;
   return n;
}

/* Returns whether value number i is the word DEFAULT in all rows of VALUES. */
static bool is_default (const MtSelect *source, size_t i)
{
   if (!source || !mt_is_plain_values (source))
      return false;
   for (const MtRowList *r = source->values.rows; r; r = r->next) {
      const MtExprList *v = r->row;
      for (size_t k = 0; k < i && v; k++)
         v = v->next;
      if (v && v->expr->kind != MT_EXPR_DEFAULT)
         return false;
   }
   return true;
}

/* Checks that no values are given for columns that are GENERATED ALWAYS. OVERRIDING USER VALUE
 * replaces the values of IDENTITY columns by their defaults. */
static bool check_identity (Insert *n, MtError *err)
{
   const MtStmt *s = n->st->stmt;
   size_t values = source_width (s, n->target_count);
   n->ignored = MT_NEW_N (n->st->arena, bool, n->target_count + 1);
   for (size_t i = 0; i < values; i++) {
      const MtColumn *c = &n->table->columns[n->targets[i]];
      n->ignored[i] = c->identity && s->insert.overriding == MT_OVERRIDING_USER;
      if (!c->always || s->insert.overriding || is_default (s->insert.source, i))
         continue;
      mt_error (err, MT_E_GENERATED_ALWAYS, "cannot insert a non-DEFAULT value into column \"%s\"",
                c->name);
      return mt_not_always (c, true, err);
   }
   return true;
}

/* ---- rows ---- */

static void start_row (Insert *n)
{
   memcpy (n->row, n->defaults.values, n->table->column_count * sizeof (MtVal));
   n->rows++;
}

static bool keep_row (const Insert *n, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_row_write (n->row, n->table->column_count, &doc, err) &&
             mt_spool_add (n->kept, &doc, err);
   bson_destroy (&doc);
   return ok;
}

static bool end_row (Insert *n, MtWriteStep *w, MtArena *a, MtError *err)
{
   if (!mt_row_defaults (&n->defaults, a, n->row, err))
      return false;
   if (n->conflict)
      return mt_conflict_add (n->conflict, n->row, err);
   if (n->kept)
      return keep_row (n, err);
   return mt_write_add (w, n->row, err) && mt_returning_add (&n->returning, n->row, err);
}

/* Sets a column of the row n->row to a value; a missing value becomes NULL. Returns true. */
static bool set_value (Insert *n, int column, MtVal v)
{
   n->row[column] = mt_is_nullish (v) ? mt_v_null () : v;
   return true;
}

static bool insert_value (Insert *n, const MtExpr *e, int column, MtArena *a, MtError *err)
{
   const MtColumn *c = &n->table->columns[column];
   MtX *x;
   if (e->kind == MT_EXPR_DEFAULT) {
      n->row[column] = n->defaults.values[column];
      return true;
   }
   MtBindEnv env = n->st->env;
   /* If VALUES has only one row, its sub-selects run before it is written, so they may read the
    * table. */
   if (!n->st->stmt->insert.source->values.rows->next)
      env.changed = NULL;
   return mt_bind_value (a, &env, e, c, &x, err) &&
          mt_eval_const (a, x, &n->st->env, &n->row[column], err) &&
          set_value (n, column, n->row[column]);
}

static bool value_row (Insert *n, const MtExprList *values, MtArena *a, MtError *err)
{
   size_t i = 0;
   start_row (n);
   for (const MtExprList *v = values; v; v = v->next, i++)
      if (!n->ignored[i] && !insert_value (n, v->expr, n->targets[i], a, err))
         return false;
   return true;
}

static bool insert_values (Insert *n, MtWriteStep *w, MtError *err)
{
   MtArena *a = mt_arena_new ("row", n->st->arena);
   for (const MtRowList *r = n->st->stmt->insert.source->values.rows; r; r = r->next) {
      if (!value_row (n, r->row, a, err) || !end_row (n, w, a, err))
         return false;
      mt_arena_reset (a);
   }
   return true;
}

/* ---- rows of a query ---- */

static bool bind_source (const Insert *n, MtQuery **out, MtError *err)
{
   MtStatement *st = n->st;
   const MtSelect *select = st->stmt->insert.source;
   size_t count = n->target_count;
   const MtColumn **columns = MT_NEW_N (st->arena, const MtColumn *, count + 1);
   for (size_t i = 0; i < count; i++)
      columns[i] = &n->table->columns[n->targets[i]];
   return mt_bind_assigned (st->arena, &st->env, select,
                            (MtAssignment) {columns, count, st->stmt->insert.columns}, out, err);
}

/* Reads all rows of the query before the first row is written. Otherwise a server's cursor could
 * return rows that the same step wrote. */
bool mt_spool_rows (MtStatement *st, MtResult *r, const MtPlan *plan, MtError *err)
{
   MtSpool *spool = mt_spool_new (st->arena);
   const bson_t *doc;
   bool ok;
   while ((ok = mt_result_next_doc (r, &doc, err)) && doc)
      if (!mt_spool_add (spool, doc, err))
         return false;
   return ok && mt_spool_rewind (spool, err) && mt_result_rows (r, plan, mt_spool_next, spool, err);
}

bool mt_rows_of_plan (MtStatement *st, MtPlan *plan, MtResult **out, MtError *err)
{
   MtResult *r = mt_result_new (st->session, mt_arena_new ("select", NULL));
   r->style = st->env.style;
   r->unprinted = true;
   bool local = mt_engine_caps (st->session->engine)->local_operators;
   if (!mt_result_run (r, plan, false, err) || (!local && !mt_spool_rows (st, r, plan, err))) {
      mt_result_free (r);
      return false;
   }
   *out = r;
   return true;
}

static bool insert_select (Insert *n, MtWriteStep *w, MtError *err)
{
   MtStatement *st = n->st;
   MtQuery *q;
   MtPlan *plan;
   MtResult *r;
   if (!bind_source (n, &q, err) || !mt_plan_bound (st, q, &plan, err) ||
       !mt_rows_of_plan (st, plan, &r, err))
      return false;
   MtArena *a = mt_arena_new ("row", st->arena);
   bool more = true, ok = true;
   while (ok && (ok = mt_result_next (r, &more, err)) && more) {
      start_row (n);
      for (size_t i = 0; i < r->column_count && ok; i++) {
         MtVal v;
         if (n->ignored[i])
            continue;
         ok = mt_value_normalize (a, n->table->columns[n->targets[i]].type, r->values[i], &v,
                                  err) &&
              set_value (n, n->targets[i], v);
      }
      ok = ok && end_row (n, w, a, err);
      mt_arena_reset (a);
   }
   mt_result_free (r);
   return ok;
}

static bool feed_insert (void *ctx, MtWriteStep *w, MtError *err)
{
   Insert *n = ctx;
   const MtSelect *source = n->st->stmt->insert.source;
   if (!source) {
      start_row (n);
      return end_row (n, w, n->st->arena, err) && mt_returning_end (&n->returning, err);
   }
   return (mt_is_plain_values (source) ? insert_values (n, w, err) : insert_select (n, w, err)) &&
          mt_returning_end (&n->returning, err);
}

static size_t row_width (const MtRowList *r)
{
   size_t n = 0;
   for (const MtExprList *v = r->row; v; v = v->next)
      n++;
   return n;
}

/* Checks that all rows of VALUES have the same length. Defaults do not fill shorter rows. */
static bool check_same_width (const MtRowList *rows, MtError *err)
{
   for (const MtRowList *r = rows; r; r = r->next)
      if (row_width (r) != row_width (rows))
         return mt_error_at (err, r->row ? r->row->expr->span : r->span, MT_E_SYNTAX,
                             "VALUES lists must all be the same length");
   return true;
}

/* Checks the number of values in a row: as many as named columns, or at most as many as the table's
 * columns if none are named. */
static bool check_width (const Insert *n, const MtExprList *values, MtError *err)
{
   size_t given = 0;
   for (const MtExprList *v = values; v; v = v->next)
      if (given++ == n->target_count)
         return mt_error_at (err, v->expr->span, MT_E_SYNTAX,
                             "INSERT has more expressions than target columns");
   return mt_all_given (n->st->stmt->insert.columns, (int) given, err);
}

/* Binds the query of INSERT without running its sub-selects, so that its errors are reported before
 * the errors of RETURNING. */
static bool check_source (Insert *n, MtError *err)
{
   MtStatement looks = *n->st;
   Insert inner = *n;
   MtQuery *q;
   inner.st = &looks;
   bool before = mt_look_begin (&looks), ok = bind_source (&inner, &q, err);
   mt_look_end (&looks, before);
   return ok;
}

/* Evaluates the columns' defaults. only: INSERT has a single row, so that the defaults may read the
 * table it changes. */
static bool row_defaults (MtStatement *st, Insert *n, bool only, MtError *err)
{
   st->env.changed = only ? NULL : n->table;
   bool ok = mt_table_defaults (st, n->table, &n->defaults, err);
   st->env.changed = n->table;
   return ok;
}

static bool open_insert (MtStatement *st, Insert *n, MtError *err)
{
   const MtStmt *s = st->stmt;
   *n = (Insert) {.st = st};
   const MtSelect *source = s->insert.source;
   const MtRowList *rows = source && mt_is_plain_values (source) ? source->values.rows : NULL;
   if (!mt_need_table (st, &s->insert.table, &n->table, err))
      return false;
   st->env.changed = n->table;
   st->env.out_of_reach = (MtOutOfReach) {n->table, s->insert.alias.text ? s->insert.alias.text
                                                                         : n->table->name};
   MtReturningClause returning = {&s->insert.alias, s->insert.returning,
                                  source ? source->with : NULL};
   if (!insert_targets (n, err) ||
       (rows && (!check_same_width (rows, err) || !check_width (n, rows->row, err))) ||
       !check_identity (n, err) || !row_defaults (st, n, !source || (rows && !rows->next), err) ||
       (source && !rows && s->insert.returning && !check_source (n, err)) ||
       !mt_returning_open (st, n->table, &returning, &n->returning, err))
      return false;
   n->row = MT_NEW_N (st->arena, MtVal, n->table->column_count + 1);
   return !s->insert.conflict ||
          (mt_conflict_check (st, n->table, err) && mt_conflict_bind (st, n->table, err));
}

bool mt_check_insert (MtStatement *st, const MtPlan **returned, MtError *err)
{
   Insert n;
   MtQuery *q;
   if (!open_insert (st, &n, err))
      return false;
   *returned = n.returning.plan;
   if (!st->stmt->insert.source)
      return true;
   if (!mt_is_plain_values (st->stmt->insert.source))
      return bind_source (&n, &q, err);
   bool unread = st->session->unread, ok = true;
   st->session->unread = true;
   for (const MtRowList *r = st->stmt->insert.source->values.rows; r && ok; r = r->next)
      ok = value_row (&n, r->row, st->arena, err);
   st->session->unread = unread;
   return ok;
}

bool mt_insert_gather (MtStatement *st, MtSpool *rows, MtError *err)
{
   Insert n;
   if (!open_insert (st, &n, err))
      return false;
   n.kept = rows;
   return feed_insert (&n, NULL, err);
}

static bool insert_or_not (MtStatement *st, Insert *n, MtError *err)
{
   MtConflictRows rows;
   if (!mt_conflict_open (st, n->table, &rows, err))
      return false;
   n->conflict = &rows;
   if (!feed_insert (n, NULL, err) || !mt_conflict_write (&rows, &n->returning, err))
      return false;
   n->rows = rows.affected;
   return true;
}

static bool run_on_conflict (MtStatement *st, Insert *n, MtError *err)
{
   if (mt_engine_caps (st->session->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       n->table->name);
   return insert_or_not (st, n, err);
}

bool mt_run_insert (MtStatement *st, MtError *err)
{
   Insert n;
   if (st->stmt->insert.conflict)
      return open_insert (st, &n, err) && run_on_conflict (st, &n, err) &&
             mt_returning_finish (
                &n.returning, mt_printf (st->arena, "INSERT 0 %llu", (unsigned long long) n.rows),
                err);
   return open_insert (st, &n, err) && mt_write_step (st, n.table, feed_insert, &n, err) &&
          mt_returning_finish (&n.returning,
                               mt_printf (st->arena, "INSERT 0 %llu", (unsigned long long) n.rows),
                               err);
}

bool mt_plan_insert (MtStatement *st, MtWritePlan *out, MtError *err)
{
   Insert n;
   MtQuery *q;
   const MtPlan *returned;
   *out = (MtWritePlan) {.verb = "Insert"};
   if (!open_insert (st, &n, err))
      return false;
   const MtOnConflict *c = st->stmt->insert.conflict;
   const char *action = NULL;
   if (c)
      action = c->updates ? "rows with new keys are added, others are changed"
                          : "rows with new keys are added";
   mt_plan_stores (st, n.table, action, out);
   const MtSelect *source = st->stmt->insert.source;
   if (!source || mt_is_plain_values (source))
      return mt_check_insert (st, &returned, err);
   return bind_source (&n, &q, err) && mt_plan_bound (st, q, &out->source, err);
}
