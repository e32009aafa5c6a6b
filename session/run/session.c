/* Runs one statement: reads the catalog, takes locks, and runs it again if other clients have
 * changed its tables. */
#include "layouts/collections/partition.h"
#include "layouts/pack/prealloc.h"
#include "functions/signature.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/held.h"
#include "session/core/objects.h"
#include "session/core/sequence.h"
#include "session/state/advisory.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/run/run.h"
#include "session/run/statement.h"
#include "session/core/undeclared.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool mt_run_select (MtStatement *st, MtError *err)
{
   MtPlan *plan;
   if (!mt_plan_select (st, st->stmt->select, &plan, err))
      return false;
   st->result->planned_us = mt_now_us ();
   mt_result_set_tag (st->result, "SELECT");
   st->result->counts_rows = true;
   if (!mt_result_run (st->result, plan, false, err))
      return false;
   /* The row lock (FOR UPDATE) ends with the statement, unless a transaction block keeps it. So all
    * rows are read now. */
   return !st->stmt->locks || mt_spool_rows (st, st->result, plan, err);
}

/* Begins a statement that writes, with the writer's lock. With NOWAIT it does not wait for another
 * writer. *own: the write is not part of a transaction block, so mt_write_end commits it. */
static bool take_lock (MtStatement *st, bool *own, MtError *err)
{
   MtSession *s = st->session;
   const MtCaps *caps = mt_engine_caps (s->engine);
   if (st->stmt->nowait)
      mt_engine_set_lock_timeout (s->engine, 0);
   bool ok = mt_write_begin (st, own, err);
   if (st->stmt->nowait)
      mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   st->env.locks |= st->stmt->locks && mt_stmt_writes (st->stmt) && caps->savepoints &&
                    !caps->read_only;
   return ok;
}

/* Removes a bounded number of expired documents of all tables, at most once per sweep_interval. */
static void sweep_sometimes (MtSession *s)
{
   static const MtStmt vacuum = {.kind = MT_STMT_VACUUM};
   int64_t now = mt_now_ms ();
   const MtCaps *caps = mt_engine_caps (s->engine);
   bool may = caps->local_operators && !caps->read_only && s->txn.state == MT_TRANSACTION_NONE &&
              !s->portals;
   if (!may || !s->settings.sweep_interval || now - s->swept_ms < s->settings.sweep_interval ||
       !mt_any_expires (s))
      return;
   MtArena *a = mt_arena_new ("sweep", NULL);
   MtStatement st;
   MtError lost; /* ignored: a later sweep will remove the rows */
   bool own;
   s->swept_ms = now;
   mt_error_clear (&lost);
   mt_statement_init (s, a, &vacuum, &st);
   mt_engine_set_lock_timeout (s->engine, 0); /* do not wait for other writers */
   if (mt_write_begin (&st, &own, &lost))
      mt_write_end (&st, own, mt_sweep_all (&st, &lost), &lost);
   mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   mt_arena_free (a);
}

bool mt_run_stmt (MtStatement *st, MtError *err)
{
   bool own;
   if (!mt_place_names (st, err) || !mt_transaction_may_write (st->session, st->stmt, err) ||
       !mt_intents_await (st, err) || !take_lock (st, &own, err))
      return false;
   bool ok = mt_write_end (st, own,
                           mt_check_names (st, err) && mt_matview_admits (st, err) &&
                              mt_stmt_row (st->stmt)->run (st, err),
                           err);
   bool changed = mt_catalog_take_changed (st->session->catalog);
   st->session->txn.changed_catalog |= changed;
   if (changed && ok && !mt_is_announced (st->session))
      mt_leases_run_out_behind (st->session);
   if (ok && mt_stmt_adds_rows (st->stmt))
      sweep_sometimes (st->session);
   return ok;
}

MtLook mt_look_of (const MtStmt *stmt)
{
   switch (stmt->kind) {
   case MT_STMT_SELECT: return stmt->locks ? MT_LOOKS_FIRST : MT_LOOKS_BESIDE;
   case MT_STMT_INSERT:
      if (stmt->insert.conflict ||
          (stmt->insert.source && !mt_is_plain_values (stmt->insert.source)))
         return MT_LOOKS_FIRST;
      return MT_LOOKS_BEHIND;
   case MT_STMT_UPDATE:
   case MT_STMT_DELETE: return MT_LOOKS_ITSELF;
   default: return MT_LOOKS_FIRST;
   }
}

/* Returns when a statement reads the catalog. */
static MtLook look_of (MtSession *s, const MtStmt *stmt)
{
   if (!mt_stmt_needs_catalog (stmt))
      return MT_LOOKS_NEVER;
   return stmt->kind == MT_STMT_EXECUTE ? mt_prepared_look (s, &stmt->execute.name)
                                        : mt_look_of (stmt);
}

/* Sets *out to the syntax tree to run: that of the prepared statement, or that of the text, parsed
 * into arena a; NULL: the text is empty. */
static bool tree_of (MtArena *a, const MtToRun *what, const MtStmt **out, MtError *err)
{
   MtStmt *stmt = NULL;
   bool ok = what->prepared || mt_parse (a, what->sql.p, what->sql.n, &stmt, err);
   *out = what->prepared ? what->prepared->stmt : stmt;
   return ok;
}

static bool begin (MtSession *s, MtArena *a, const MtToRun *what, bool by_cache, MtStatement *out,
                   MtError *err)
{
   const MtStmt *stmt;
   mt_error_clear (err);
   if (!tree_of (a, what, &stmt, err) || !mt_transaction_admits (s, stmt, err) ||
       !mt_coordination_begin (s, look_of (s, stmt), by_cache, err))
      return false;
   mt_system_reset (s);
   s->met_temporary = s->met_file = false;
   mt_statement_init (s, a, stmt, out);
   out->sql = what->sql.p;
   out->sql_len = what->sql.n;
   return true;
}

bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out,
                         MtError *err)
{
   if (!mt_statement_start (s, err))
      return false;
   MtToRun what = {.sql = {sql, len < 0 ? strlen (sql) : (size_t) len}};
   return begin (s, a, &what, false, out, err);
}

static bool query (MtSession *s, const MtToRun *what, bool by_cache, MtOutcome *outcome,
                   MtResult **out, MtError *err)
{
   MtArena *a = s->spare ? s->spare : mt_arena_new ("statement", NULL);
   MtResult *r = *out = mt_result_new (s, a);
   s->spare = NULL;
   r->statement = true;
   MtStatement st = {0};
   r->started_us = mt_now_us ();
   bool begun = begin (s, a, what, by_cache, &st, err), ok = begun;
   if (begun && st.stmt) {
      st.result = r;
      r->style = st.env.style;
      r->looks = mt_is_assuming (s);
      ok = (!what->prepared || mt_prepared_values (&st, what, err)) && mt_run_stmt (&st, err);
   }
   if (!r->planned_us)
      r->planned_us = mt_now_us ();
   int64_t before = mt_now_us ();
   *outcome = begun ? mt_coordination_end (s, st.stmt, r->remote, ok, err) : MT_OUTCOME_FAILED;
   r->execute_us += mt_now_us () - before;
   return *outcome == MT_OUTCOME_DONE;
}

bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err)
{
   return mt_run_given (s, &(MtToRun) {.sql = {sql, n}}, out, err);
}

bool mt_run_given (MtSession *s, const MtToRun *what, MtResult **out, MtError *err)
{
   MtResult *r;
   MtOutcome outcome;
   mt_set_deadline (s);
   mt_sequences_settle (s);
   mt_advisory_begin (s, false);
   bool ok = query (s, what, true, &outcome, &r, err);
   int64_t until_ms = s->settings.lock_timeout ? mt_now_ms () + s->settings.lock_timeout : 0;
   for (int tries = 0; !ok && mt_coordination_retries (s, outcome, tries, until_ms, err); tries++) {
      mt_result_free (r);
      mt_advisory_begin (s, true);
      ok = query (s, what, false, &outcome, &r, err);
   }
   if (!mt_memory_check (err)) {          /* whatever the statement made of it */
      mt_catalog_invalidate (s->catalog); /* what was read of it meanwhile */
      ok = false;
   }
   if (!ok) {
      mt_in_sql_words (
         r, err); /* a change of rows reads no result, and meets the operators themselves */
      mt_result_free (r);
      mt_transaction_failed (s);
      return false;
   }
   s->open_result = r;
   *out = r;
   return true;
}

double mt_planning_ms (const MtSession *s) { return (double) s->planning_us / 1000; }
