/* Finds the result columns of statements without running them: for PREPARE and mt_describe. */
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/held.h"
#include "session/dml/dml.h"
#include "session/run/run.h"
#include "session/run/statement.h"

#include <string.h>

bool mt_check_statement (MtStatement *st, MtColumnList *out, MtError *err)
{
   const MtPlan *returned = NULL;
   const MtCaps *caps = mt_engine_caps (st->session->engine);
   bool ok;
   st->env.locks |= st->stmt->locks && caps->savepoints && !caps->read_only;
   *out = (MtColumnList) {0};
   if (st->stmt->kind == MT_STMT_WITH) {
      MtStatement main;
      return mt_check_with (st, &main, err) && mt_check_statement (&main, out, err);
   }
   if (st->stmt->kind == MT_STMT_SELECT)
      return mt_check_select (st, st->stmt->select, out, err);
   else if (st->stmt->kind == MT_STMT_INSERT)
      ok = mt_check_insert (st, &returned, err);
   else if (st->stmt->kind == MT_STMT_UPDATE || st->stmt->kind == MT_STMT_DELETE)
      ok = mt_check_change (st, &returned, err);
   else if (st->stmt->kind == MT_STMT_MERGE)
      ok = mt_check_merge (st, err);
   else
      return mt_error_at (err, st->stmt->span, MT_E_INTERNAL, "this statement cannot be prepared");
   if (ok && returned)
      *out = (MtColumnList) {returned->columns, (size_t) returned->column_count};
   return ok;
}

/* ---- mt_describe ---- */

static void one_text_column (MtStatement *st, const char *name, MtColumnList *out)
{
   out->columns = MT_NEW (st->arena, MtRelColumn);
   *out->columns = (MtRelColumn) {.name = name, .type = mt_type (MT_T_TEXT)};
   out->count = 1;
}

bool mt_describe_query (MtStatement *st, MtColumnList *out, MtError *err)
{
   MtStatement inner = *st;
   MtParams none = {0};
   if (!inner.env.params)
      inner.env.params = &none;
   return mt_check_statement (&inner, out, err);
}

bool mt_describe_execute (MtStatement *st, MtColumnList *out, MtError *err)
{
   MtStatement inner = *st;
   return mt_execute_begin (st, st->stmt, &inner, err) && mt_check_statement (&inner, out, err);
}

static bool describe_statement (MtStatement *st, MtColumnList *out, MtError *err)
{
   const MtStmtRow *row = mt_stmt_row (st->stmt);
   return !row->describe || row->describe (st, out, err);
}

/* Returns whether an EXPLAIN has the option FORMAT JSON. */
static bool explains_in_json (const MtStmt *explain)
{
   bool json = false;
   for (const MtOption *o = explain->explain.options; o; o = o->next)
      if (mt_ieq (o->name.text, "format"))
         json = mt_str_ieq (o->value, MT_STR ("json"));
   return json;
}

/* Sets *out to the column of EXPLAIN's result, and checks the explained statement. An EXECUTE is
 * not checked before it runs, as in PostgreSQL. */
bool mt_describe_explain (MtStatement *st, MtColumnList *out, MtError *err)
{
   MtStatement inner = *st;
   inner.stmt = st->stmt->explain.stmt;
   if (inner.stmt->kind != MT_STMT_EXECUTE &&
       !describe_statement (&inner, &(MtColumnList) {0}, err))
      return false;
   one_text_column (st, "QUERY PLAN", out);
   if (explains_in_json (st->stmt))
      out->columns->type = mt_type (MT_T_JSON);
   return true;
}

bool mt_describe_declare (MtStatement *st, MtColumnList *out, MtError *err)
{
   (void) out;
   MtStatement inner = *st;
   MtParams none = {0};
   if (!inner.env.params)
      inner.env.params = &none;
   return mt_check_select (&inner, st->stmt->declare.query, &(MtColumnList) {0}, err);
}

bool mt_describe_show (MtStatement *st, MtColumnList *out, MtError *err)
{
   if (!mt_run_show (st, err)) /* SHOW changes nothing */
      return false;
   *out = (MtColumnList) {st->result->columns, st->result->column_count};
   return true;
}

bool mt_describe_fetch (MtStatement *st, MtColumnList *out, MtError *err)
{
   return mt_fetch_columns (st, out, err);
}

bool mt_describe_by_running (MtStatement *st, MtColumnList *out, MtError *err)
{
   (void) out;
   mt_error_at (err, st->stmt->span, MT_E_FEATURE,
                "the columns of this statement are not known before it runs");
   return mt_error_hint (err, "Run the statement to see its columns.");
}

/* Sets *out to an empty result with the columns of statement `sql`, whose parameters have the types
 * in `params`. */
static bool describe (MtSession *s, MtStr sql, MtParams *params, MtResult **out, MtError *err)
{
   MtArena *a = mt_arena_new ("description", NULL);
   MtResult *r = mt_result_new (s, a);
   MtStatement st = {0};
   MtColumnList columns = {0};
   bool ok = mt_statement_begin (s, a, sql.p, (long) sql.n, &st, err);
   if (ok && st.stmt) {
      st.result = r;
      st.env.params = params;
      bool before = mt_look_begin (&st);
      ok = mt_place_names (&st, err) && mt_check_names (&st, err) &&
           describe_statement (&st, &columns, err) && mt_memory_check (err);
      mt_look_end (&st, before);
   }
   if (!ok) {
      mt_result_free (r);
      if (!mt_error_is (err, MT_E_FEATURE)) /* the statement itself may run */
         mt_transaction_failed (s);
      return false;
   }
   mt_result_no_rows (r, columns.columns, columns.count);
   s->open_result = *out = r;
   return true;
}

bool mt_describe (MtSession *s, const char *sql, long len, MtResult **out, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   return describe (s, (MtStr) {sql, len < 0 ? strlen (sql) : (size_t) len}, NULL, out, err);
}

bool mt_prepared_describe (MtPrepared *p, MtResult **out, MtError *err)
{
   MtSession *s = p->session;
   MT_BEGIN_CALL (s, err);
   MtParams params = {.types = p->types, .count = p->count, .most = p->count};
   return describe (s, (MtStr) {p->sql, p->sql_len}, &params, out, err);
}
