/* PREPARE, EXECUTE, DEALLOCATE. A prepared statement is a syntax tree and the types of its
 * parameters. Each EXECUTE binds and plans it again with the parameters' values as constants, so
 * that they can exclude partitions and decide how deep documents are read. */
#include "planner/emit/eval.h"
#include "session/core/core.h"
#include "session/core/held.h"
#include "session/dml/dml.h"
#include "session/run/run.h"

#include <string.h>

/* Finds a statement by its exact name, or else one whose name differs only in case. */
static MtPrepared **find_prepared (MtSession *s, const char *name)
{
   MtPrepared **at = &s->prepared, **near = &s->prepared;
   while (*at && strcmp ((*at)->name, name) != 0)
      at = &(*at)->next;
   while (*near && !mt_ieq ((*near)->name, name))
      near = &(*near)->next;
   return *at ? at : near;
}

static bool need_prepared (MtSession *s, const MtName *name, MtPrepared ***out, MtError *err)
{
   MtNear near = {.name = name->text};
   *out = find_prepared (s, name->text);
   if (**out)
      return true;
   mt_error (err, MT_E_STATEMENT_NAME, "prepared statement \"%s\" does not exist", name->text);
   for (const MtPrepared *p = s->prepared; p; p = p->next)
      mt_near_try (&near, p->name);
   return mt_error_found (err, &near);
}

MtLook mt_prepared_look (MtSession *s, const MtName *name)
{
   const MtPrepared *p = *find_prepared (s, name->text);
   return p ? p->look : MT_LOOKS_FIRST;
}

/* ---- PREPARE ---- */

static bool given_types (MtStatement *st, MtParams *p, MtError *err)
{
   for (const MtTypeList *t = st->stmt->prepare.types; t; t = t->next)
      p->count++;
   p->types = MT_NEW_N (st->arena, MtType, (size_t) p->count + 1);
   int i = 0;
   for (const MtTypeList *t = st->stmt->prepare.types; t; t = t->next)
      if (!mt_bind_type (st->arena, &st->env, t->type, &p->types[i++], err))
         return false;
   p->most = p->count;
   return true;
}

/* Binds a statement without running it, and sets the types of its parameters in *params. Fails if a
 * type cannot be determined. */
static bool find_types (MtStatement *st, const MtStmt *stmt, MtParams *params, MtError *err)
{
   MtColumnList columns;
   MtStatement inner = *st;
   inner.stmt = stmt;
   inner.env.params = params;
   bool before = mt_look_begin (&inner), ok = mt_check_statement (&inner, &columns, err);
   mt_look_end (&inner, before);
   if (!ok)
      return false;
   for (int i = 0; i < params->most; i++)
      if (params->types[i].id == MT_T_UNKNOWN)
         return mt_error (err, MT_E_INDETERMINATE_TYPE,
                          "could not determine data type of parameter $%d", i + 1);
   return true;
}

/* Returns a prepared statement with the text of st and the types of its parameters. It owns arena
 * a, in which it is made. The caller sets its name and syntax tree. */
static MtPrepared *new_prepared (MtArena *a, const MtStatement *st, const MtParams *params)
{
   MtPrepared *p = MT_NEW (a, MtPrepared);
   *p = (MtPrepared) {.arena = a,
                      .session = st->session,
                      .sql = mt_strndup (a, st->sql, st->sql_len),
                      .sql_len = st->sql_len,
                      .count = params->most,
                      .types = MT_NEW_N (a, MtType, (size_t) params->most + 1)};
   if (p->count)
      memcpy (p->types, params->types, (size_t) p->count * sizeof *p->types);
   return p;
}

bool mt_run_prepare (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const char *name = st->stmt->prepare.name.text;
   MtParams params = {0};
   mt_result_set_tag (st->result, "PREPARE");
   if (!given_types (st, &params, err) || !find_types (st, st->stmt->prepare.stmt, &params, err))
      return false;
   if (*find_prepared (s, name))
      return mt_error (err, MT_E_DUPLICATE_PREPARED, "prepared statement \"%s\" already exists",
                       name);
   MtArena *a = mt_arena_new ("prepared", s->arena);
   MtPrepared *p = new_prepared (a, st, &params);
   MtStmt *whole;
   /* the text was parsed before, so parsing it again cannot fail */
   if (!mt_parse (a, p->sql, p->sql_len, &whole, err)) {
      mt_arena_free (a);
      return false;
   }
   p->name = mt_strdup (a, name);
   p->stmt = whole->prepare.stmt;
   p->look = mt_look_of (p->stmt);
   p->next = s->prepared;
   s->prepared = p;
   return true;
}

/* ---- mt_prepare ---- */

/* Fails if the text has several statements. */
static bool is_single (const char *sql, size_t n, MtError *err)
{
   size_t end, more;
   MtScanState state;
   if (!mt_scan_statement (sql, n, &end, &state))
      return true;
   bool last = !mt_scan_statement (sql + end, n - end, &more, &state) && state == MT_SCAN_READY;
   return last || mt_error_at (err, (MtSpan) {(int32_t) end, 0}, MT_E_SYNTAX,
                               "cannot insert multiple commands into a prepared statement");
}

/* Returns the query or change that can have parameters: the statement itself, or the one within
 * EXPLAIN, CREATE TABLE AS and so on; NULL: there is none. */
static const MtStmt *with_parameters (MtArena *a, const MtStmt *stmt)
{
   MtSelect *query = NULL;
   switch (stmt->kind) {
   case MT_STMT_SELECT:
   case MT_STMT_INSERT:
   case MT_STMT_UPDATE:
   case MT_STMT_DELETE:
   case MT_STMT_MERGE:
   case MT_STMT_WITH: return stmt;
   case MT_STMT_EXPLAIN: return with_parameters (a, stmt->explain.stmt);
   case MT_STMT_CREATE_TABLE: /* a materialized view keeps its text, and no values */
      query = stmt->create_table.materialized ? NULL : stmt->create_table.as;
      break;
   case MT_STMT_DECLARE: query = stmt->declare.query; break;
   default: break;
   }
   if (!query)
      return NULL;
   MtStmt *select = MT_NEW (a, MtStmt);
   *select = (MtStmt) {.kind = MT_STMT_SELECT, .span = stmt->span, .select = query};
   return select;
}

/* Binds a statement of mt_prepare to find the types of its parameters, which are set in *params. */
static bool prepare (MtStatement *st, MtParams *params, MtError *err)
{
   MtStatement placed = *st;
   if (!with_parameters (st->arena, st->stmt))
      return true;
   return mt_place_names (&placed, err) && mt_check_names (&placed, err) &&
          find_types (&placed, with_parameters (st->arena, placed.stmt), params, err);
}

bool mt_prepare (MtSession *s, const char *sql, long len, MtPrepared **out, MtError *err)
{
   return mt_prepare_types (s, sql, len, (MtTypes) {0}, out, err);
}

bool mt_prepare_types (MtSession *s, const char *sql, long len, MtTypes given, MtPrepared **out,
                       MtError *err)
{
   MT_BEGIN_CALL (s, err);
   size_t n = len < 0 ? strlen (sql) : (size_t) len;
   MtArena *a = mt_arena_new ("prepared", NULL), *temporary = mt_arena_new ("prepare", NULL);
   MtStatement st = {0};
   MtParams params = {.count = (int) given.count, .most = (int) given.count};
   MtStmt *tree = NULL;
   MtPrepared *p = NULL;
   params.types = MT_NEW_N (temporary, MtType, given.count + 1);
   if (given.count)
      memcpy (params.types, given.list, given.count * sizeof *given.list);
   mt_error_clear (err);
   bool ok = is_single (sql, n, err) &&
             mt_statement_begin (s, temporary, sql, (long) n, &st, err) &&
             (!st.stmt || prepare (&st, &params, err));
   if (ok) {
      p = new_prepared (a, &st, &params);
      ok = mt_parse (a, p->sql, p->sql_len, &tree, err) && mt_memory_check (err);
   }
   mt_arena_free (temporary);
   if (!ok) {
      mt_arena_free (a);
      mt_transaction_failed (s);
      return false;
   }
   p->stmt = tree;
   p->look = tree ? mt_look_of (tree) : MT_LOOKS_NEVER;
   *out = p;
   return true;
}

/* Removes a statement's name. Frees the statement, unless the client owns it. */
static void drop_prepared (MtPrepared **at)
{
   MtPrepared *p = *at;
   *at = p->next;
   p->name = NULL;
   if (!p->lent)
      mt_arena_free (p->arena);
}

/* Removes the name of a statement that the client owns. */
static void forget_name (MtPrepared *p)
{
   MtPrepared **at = &p->session->prepared;
   while (p->name && *at && *at != p)
      at = &(*at)->next;
   if (p->name && *at)
      drop_prepared (at);
}

bool mt_prepared_set_name (MtPrepared *p, const char *name, MtError *err)
{
   MtPrepared **at = name ? find_prepared (p->session, name) : NULL;
   if (at && *at && strcmp ((*at)->name, name) == 0)
      return mt_error (err, MT_E_DUPLICATE_PREPARED, "prepared statement \"%s\" already exists",
                       name);
   p->lent = true;
   forget_name (p);
   if (!name)
      return true;
   p->name = mt_strdup (p->arena, name);
   p->next = p->session->prepared;
   p->session->prepared = p;
   return true;
}

bool mt_prepared_is_named (const MtPrepared *p) { return p->name != NULL; }

void mt_prepared_free (MtPrepared *p)
{
   if (!p)
      return;
   p->lent = true;
   forget_name (p);
   mt_arena_free (p->arena);
}

size_t mt_prepared_parameters (const MtPrepared *p) { return (size_t) p->count; }

MtType mt_prepared_type (const MtPrepared *p, size_t parameter) { return p->types[parameter]; }

/* Converts the text v to a value of the parameter's type. */
static bool value_of_text (MtStatement *st, MtType type, MtVal v, MtVal *out, MtError *err)
{
   MtTextStyle style = st->env.style;
   MtStr text = {(const char *) v.p, v.len};
   if (!mt_utf8_valid (text.p, text.n) || (text.n && memchr (text.p, 0, text.n)))
      return mt_error (err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\"");
   if (mt_type_is_reg (type.id)) { /* the name of an object, which only the binder can look up */
      MtX *x;
      MtExpr *name = MT_NEW (st->arena, MtExpr);
      *name = (MtExpr) {.kind = MT_EXPR_STRING, .span = MT_NO_SPAN, .str = text};
      return mt_bind_argument (st->arena, &st->env, name, (MtParam) {1, type}, &x, err) &&
             mt_eval_const (st->arena, x, &st->env, out, err);
   }
   style.exact_times = !mt_type_is_array (type.id); /* as a literal, which has microseconds */
   return mt_value_parse (st->arena, type, text, &style, out, err);
}

static bool one_value (MtStatement *st, const MtPrepared *p, int i, MtVal v, MtVal *out,
                       MtError *err)
{
   MtType type = p->types[i];
   if (mt_is_nullish (v)) {
      *out = mt_v_null ();
      return true;
   }
   if (v.type == MT_STRING)
      return value_of_text (st, type, v, out, err) ||
             mt_error_context (err, "unnamed portal parameter $%d", i + 1);
   if (mt_value_normalize (st->arena, type, v, out, NULL)) {
      *out = mt_v_copy (st->arena, *out);
      return true;
   }
   if (mt_is_number (v) && (mt_type_is_number (type.id) || mt_type_is_oid (type.id)))
      return mt_error (err, MT_E_NUMERIC_RANGE, "the value of parameter $%d does not fit type %s",
                       i + 1, mt_type_info (type.id)->display);
   mt_error (err, MT_E_DATATYPE_MISMATCH, "the value of parameter $%d is not of type %s", i + 1,
             mt_type_info (type.id)->display);
   return mt_error_hint (err, "Pass a value of the type, or its text.");
}

bool mt_prepared_values (MtStatement *st, const MtToRun *what, MtError *err)
{
   const MtPrepared *p = what->prepared;
   MtParams *params = MT_NEW (st->arena, MtParams);
   if (what->count != (size_t) p->count) {
      mt_error (err, MT_E_SYNTAX, "wrong number of parameters for the prepared statement");
      return mt_error_detail (err, "Expected %d parameters but got %zu.", p->count, what->count);
   }
   *params = (MtParams) {.types = MT_NEW_N (st->arena, MtType, what->count + 1),
                         .values = MT_NEW_N (st->arena, MtVal, what->count + 1),
                         .count = p->count};
   memcpy (params->types, p->types, what->count * sizeof *p->types);
   for (int i = 0; i < p->count; i++)
      if (!one_value (st, p, i, what->values[i], &params->values[i], err))
         return false;
   st->env.params = params;
   return true;
}

bool mt_execute (MtPrepared *p, const MtVal *values, size_t count, MtResult **out, MtError *err)
{
   MtSession *s = p->session;
   MT_BEGIN_CALL (s, err);
   return mt_run_given (s, &(MtToRun) {{p->sql, p->sql_len}, p, values, count}, out, err);
}

/* ---- EXECUTE ---- */

static bool evaluate_arguments (MtStatement *st, const MtPrepared *p, const MtStmt *execute,
                                MtVal **out, MtError *err)
{
   int given = 0;
   for (const MtExprList *e = execute->execute.args; e; e = e->next)
      given++;
   if (p->count && given != p->count) {
      mt_error (err, MT_E_SYNTAX, "wrong number of parameters for prepared statement \"%s\"",
                p->name);
      return mt_error_detail (err, "Expected %d parameters but got %d.", p->count, given);
   }
   *out = MT_NEW_N (st->arena, MtVal, (size_t) given + 1);
   int i = 0;
   for (const MtExprList *e = execute->execute.args; e && i < p->count; e = e->next, i++) {
      MtX *x;
      if (!mt_bind_argument (st->arena, &st->env, e->expr, (MtParam) {i + 1, p->types[i]}, &x,
                             err) ||
          !mt_eval_const (st->arena, x, &st->env, &(*out)[i], err))
         return false;
   }
   return true;
}

bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out, MtError *err)
{
   MtPrepared **at;
   MtParams *params = MT_NEW (st->arena, MtParams);
   *out = *st;
   if (!need_prepared (st->session, &execute->execute.name, &at, err) ||
       !evaluate_arguments (out, *at, execute, &params->values, err))
      return false;
   params->count = (*at)->count;
   params->types = MT_NEW_N (st->arena, MtType, (size_t) params->count + 1);
   memcpy (params->types, (*at)->types, (size_t) params->count * sizeof (MtType));
   out->stmt = (*at)->stmt;
   out->env.params = params;
   return true;
}

bool mt_run_execute (MtStatement *st, MtError *err)
{
   MtStatement inner;
   if (!mt_execute_begin (st, st->stmt, &inner, err))
      return false;
   bool ok = mt_run_stmt (&inner, err);
   if (!ok)
      err->span = MT_NO_SPAN; /* the span is a place in the text of PREPARE, not of EXECUTE */
   return ok;
}

/* ---- DEALLOCATE ---- */

void mt_prepared_forget (MtSession *s)
{
   while (s->prepared)
      drop_prepared (&s->prepared);
}

bool mt_run_deallocate (MtStatement *st, MtError *err)
{
   MtPrepared **at;
   const MtName *name = &st->stmt->execute.name;
   mt_result_set_tag (st->result, name->text ? "DEALLOCATE" : "DEALLOCATE ALL");
   if (!name->text)
      mt_prepared_forget (st->session);
   if (name->text && !need_prepared (st->session, name, &at, err))
      return false;
   if (name->text)
      drop_prepared (at);
   return true;
}
