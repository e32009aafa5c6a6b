/* Transactions: BEGIN to COMMIT, savepoints, and what happens to settings and cursors. The engine
 * joins the write steps of all statements (mt_engine_txn_begin). The changes of a failed statement
 * are undone at once. Then the block refuses all statements but ROLLBACK and the like. */
#include "session/coordinate/coordinate.h"
#include "session/core/sequence.h"
#include "session/state/advisory.h"
#include "session/run/run.h"
#include "session/run/statement.h"

#include <string.h>

MtTransactionState mt_transaction_state (const MtSession *s) { return s->txn.state; }

/* Returns whether all statements of the transaction read the same snapshot, taken by the first
 * one. */
static bool wants_snapshot (const MtTransaction *t)
{
   return t->modes.isolation >= MT_REPEATABLE_READ;
}

/* ---- begin and end ---- */

static bool begin_block (MtSession *s, MtTxnModes said, MtError *err)
{
   MtTxnModes modes = mt_txn_modes (s->settings.default_modes, said);
   if (!mt_check_isolation (s, modes.isolation, err) || !mt_engine_txn_begin (s->engine, err))
      return false;
   MtArena *a = mt_arena_new ("transaction", s->arena);
   s->txn = (MtTransaction) {.state = MT_TRANSACTION_OPEN,
                             .arena = a,
                             .modes = modes,
                             .started_ms = s->statement_ms,
                             .before = s->settings,
                             .kept = s->settings};
   return true;
}

static void clear_transaction (MtSession *s)
{
   mt_arena_free (s->txn.arena);
   s->txn = (MtTransaction) {.state = MT_TRANSACTION_NONE};
   mt_advisory_end_transaction (s);
}

/* Reads the catalog again if the transaction changed temporary tables: ROLLBACK TO may have undone
 * tables that the catalog still lists. */
static bool read_temporary_tables (MtSession *s, MtError *err)
{
   MtEngine *e = mt_engine_temporary (s->engine);
   return !e || !mt_engine_txn_wrote (e) || mt_catalog_refresh (s->catalog, NULL, err);
}

/* Ends a transaction that was executed piecemeal: each change took effect at once, because the
 * server has no suitable transactions. Ends the intents of all its statements. Warns if some
 * changes could not be undone. */
static void end_pieces (MtSession *s, bool committed)
{
   MtError ignored;
   enum { MOST_MS = 5000 };
   const char *left = committed ? NULL : mt_engine_leftover (s->engine);
   if (committed)
      mt_intents_end (s);
   else if (left)
      mt_notice (s, "WARNING", "Check these documents before you run the statements again.",
                 "the transaction could not be undone completely: documents of it may remain in %s",
                 left);
   else if (!mt_undone_was_read (s))
      mt_intents_drop (s);
   mt_intents_leave (s);
   if (committed || left || !s->txn.changed_catalog)
      return;
   s->txn.changed_catalog = false;
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + MOST_MS);
   mt_catalog_bump_beside (s->catalog, false, &ignored);
   mt_cancel_resume (s, h);
   mt_leases_run_out_behind (s);
}

/* Commits the engine's transaction if `ok`, else rolls it back. Returns whether it was
 * committed. */
static bool end_transaction (MtSession *s, bool ok, MtError *err)
{
   if (ok) {
      mt_sequences_raise (s, false);
      ok = mt_engine_txn_commit (s->engine, err);
   } else
      mt_engine_txn_rollback (s->engine);
   if (!ok) {
      mt_catalog_invalidate (s->catalog);
      mt_sequences_failed (s);
      mt_sequences_raise (s, true);
   }
   if (ok)
      mt_memory_forgive (&s->shortage);
   return ok;
}

static bool commit_block (MtSession *s, MtError *err)
{
   bool pieces = mt_engine_in_pieces (s->engine);
   bool ok = mt_cursors_commit (s, err) && read_temporary_tables (s, err) &&
             mt_temporary_commit (s, err) && mt_memory_check (err);
   ok = end_transaction (s, ok, err);
   mt_settings_restore (s, ok ? &s->txn.kept : &s->txn.before);
   if (pieces)
      end_pieces (s, ok);
   if (!ok)
      mt_catalog_invalidate (s->catalog);
   mt_cursors_end (s, ok);
   clear_transaction (s);
   return ok;
}

void mt_transaction_abandon (MtSession *s)
{
   if (s->txn.state == MT_TRANSACTION_NONE)
      return;
   bool pieces = mt_engine_in_pieces (s->engine);
   mt_cursors_end (s, false);
   mt_engine_txn_rollback (s->engine);
   mt_catalog_invalidate (s->catalog);
   mt_sequences_failed (s);
   mt_sequences_raise (s, true);
   if (pieces)
      end_pieces (s, false);
   mt_settings_restore (s, &s->txn.before);
   clear_transaction (s);
}

/* ---- implicit blocks ---- */

/* Returns whether the transaction can be executed piecemeal, so that each change takes effect at
 * once and is undone later if necessary. With a catalog in a file it cannot, because the engine
 * cannot undo changes of the file. */
static bool can_be_in_pieces (const MtSession *s)
{
   const MtCaps *caps = mt_engine_target_caps (s->engine);
   return caps->pieces && !caps->read_only && !s->options.catalog;
}

bool mt_transaction_can_be_implicit (const MtSession *s, const MtScript *script)
{
   const MtCaps *caps = mt_engine_target_caps (s->engine);
   return !caps->read_only && (caps->transactions || (script->undoable && can_be_in_pieces (s)));
}

bool mt_transaction_is_implicit (const MtSession *s) { return s->txn.implicit; }

bool mt_transaction_begin_implicit (MtSession *s, const MtScript *script, MtError *err)
{
   if (s->txn.state != MT_TRANSACTION_NONE || !mt_transaction_can_be_implicit (s, script))
      return true;
   if (!begin_block (s, (MtTxnModes) {0}, err))
      return false;
   s->txn.implicit = true;
   bool pieces = !mt_engine_target_caps (s->engine)->transactions ||
                 (script->defines && script->undoable && can_be_in_pieces (s));
   return !pieces || mt_engine_txn_in_pieces (s->engine, err);
}

/* If a server's transaction cannot contain the statement's changes, switches the transaction to
 * piecemeal execution (see end_pieces). Call it before a statement that writes. */
static bool choose_pieces (MtSession *s, const MtStmt *stmt, MtError *err)
{
   bool needed = !mt_engine_caps (s->engine)->transactions || mt_stmt_defines (stmt);
   return !needed || !mt_engine_in_txn (s->engine) || !can_be_in_pieces (s) ||
          mt_engine_txn_in_pieces (s->engine, err);
}

bool mt_transaction_end_implicit (MtSession *s, MtError *err)
{
   return !s->txn.implicit || commit_block (s, err);
}

/* Returns whether the client began the transaction with BEGIN. Only then savepoints and AND CHAIN
 * are allowed. */
static bool is_explicit (const MtSession *s)
{
   return s->txn.state != MT_TRANSACTION_NONE && !s->txn.implicit;
}

/* Undoes the changes since savepoint p; NULL: since the beginning of the transaction. */
static void return_to (MtSession *s, const MtSavepoint *p)
{
   MtEngine *temporary = mt_engine_temporary (s->engine);
   mt_engine_return (s->engine, p ? p->mark : 0);
   if (temporary)
      mt_engine_return (temporary, p ? p->temporary_mark : 0);
}

void mt_transaction_failed (MtSession *s)
{
   if (s->txn.state != MT_TRANSACTION_OPEN)
      return;
   if (s->txn.implicit) {
      mt_transaction_abandon (s);
      return;
   }
   s->txn.state = MT_TRANSACTION_FAILED;
   mt_sequences_failed (s);
   return_to (s, s->txn.savepoints);
   if (mt_engine_in_pieces (s->engine))
      end_pieces (s, false);
   mt_catalog_invalidate (s->catalog);
}

/* ---- statements that may run ---- */

static bool ends_block (const MtStmt *stmt)
{
   if (stmt->kind != MT_STMT_TRANSACTION)
      return false;
   MtTxnVerb v = stmt->transaction.verb;
   return v == MT_TXN_COMMIT || v == MT_TXN_ROLLBACK || v == MT_TXN_ROLLBACK_TO;
}

bool mt_stmt_needs_catalog (const MtStmt *stmt)
{
   return stmt && !ends_block (stmt) && !(mt_stmt_row (stmt)->flags & MT_SF_NO_CATALOG);
}

bool mt_transaction_admits (MtSession *s, const MtStmt *stmt, MtError *err)
{
   MtTransaction *t = &s->txn;
   if (t->state == MT_TRANSACTION_FAILED && stmt && !ends_block (stmt))
      return mt_error (
         err, MT_E_IN_FAILED_TRANSACTION,
         "current transaction is aborted, commands ignored until end of transaction block");
   if (t->state != MT_TRANSACTION_OPEN || !stmt || t->queried ||
       (mt_stmt_row (stmt)->flags & MT_SF_APART))
      return true;
   t->queried = true;
   return !wants_snapshot (t) || mt_engine_txn_freeze (s->engine, err);
}

bool mt_transaction_may_write (MtSession *s, const MtStmt *stmt, MtError *err)
{
   bool read_only = s->txn.state == MT_TRANSACTION_NONE
                       ? s->settings.default_modes.access == MT_ACCESS_READ
                       : s->txn.modes.access == MT_ACCESS_READ;
   const char *what = read_only ? mt_stmt_writes_as (stmt) : NULL;
   return !what || mt_changes_temporary_rows (s, stmt) ||
          mt_error (err, MT_E_READ_ONLY, "cannot execute %s in a read-only transaction", what);
}

/* ---- around a statement that writes ---- */

/* Takes the writer's lock, and then reads the catalog, because another process may have changed the
 * tables before the lock was free. */
static bool lock_and_look (MtSession *s, MtError *err)
{
   return mt_step_begin (s, err) && mt_step_commit (s, err) &&
          mt_catalog_refresh (s->catalog, NULL, err);
}

bool mt_write_begin (MtStatement *st, bool *own, MtError *err)
{
   MtSession *s = st->session;
   *own = false;
   if (!mt_stmt_writes (st->stmt))
      return true;
   if (!mt_aim (st, err))
      return false;
   const MtCaps *caps = mt_engine_caps (s->engine);
   if (caps->read_only || !caps->savepoints)
      return choose_pieces (s, st->stmt, err);
   *own = !mt_engine_in_txn (s->engine);
   if ((*own && !mt_engine_txn_begin (s->engine, err)) || !lock_and_look (s, err))
      return mt_write_end (st, *own, false, err);
   mt_set_routines (s, &st->env);
   return true;
}

bool mt_write_end (MtStatement *st, bool own, bool ok, MtError *err)
{
   MtSession *s = st->session;
   ok = ok && (!own || mt_temporary_commit (s, err)) && mt_memory_check (err);
   mt_engine_aim_temporary (s->engine, false);
   if (ok)
      mt_sequences_settle (s);
   if (!own)
      return ok;
   ok = end_transaction (s, ok, err);
   if (!ok)
      mt_catalog_invalidate (s->catalog);
   return ok;
}

/* ---- savepoints ---- */

static MtSavepoint *find_savepoint (MtSession *s, const char *name, MtError *err)
{
   MtNear near = {.name = name};
   for (MtSavepoint *p = s->txn.savepoints; p; p = p->outer) {
      if (mt_ieq (p->name, name))
         return p;
      mt_near_try (&near, p->name);
   }
   mt_error (err, MT_E_SAVEPOINT, "savepoint \"%s\" does not exist", name);
   mt_error_found (err, &near);
   return NULL;
}

static bool make_savepoint (MtSession *s, const char *name, MtError *err)
{
   MtTransaction *t = &s->txn;
   size_t mark, temporary_mark = 0;
   MtEngine *temporary = mt_engine_temporary (s->engine);
   if (!mt_engine_caps (s->engine)->savepoints) {
      mt_error (err, MT_E_FEATURE, "savepoints are not supported on this server");
      return mt_error_hint (err, "Its transactions can only be undone as a whole.");
   }
   if (!mt_engine_mark (s->engine, &mark, err) ||
       (temporary && !mt_engine_mark (temporary, &temporary_mark, err)))
      return false;
   MtSavepoint *p = MT_NEW (t->arena, MtSavepoint);
   *p = (MtSavepoint) {.name = mt_strdup (t->arena, name),
                       .mark = mark,
                       .temporary_mark = temporary_mark,
                       .settings = s->settings,
                       .kept = t->kept,
                       .modes = t->modes,
                       .outer = t->savepoints};
   p->depth = t->savepoints ? t->savepoints->depth + 1 : 1;
   t->savepoints = p;
   return true;
}

static bool release_savepoint (MtSession *s, const char *name, MtError *err)
{
   MtSavepoint *p = find_savepoint (s, name, err);
   if (!p)
      return false;
   mt_engine_unmark (s->engine, p->mark);
   if (mt_engine_temporary (s->engine))
      mt_engine_unmark (mt_engine_temporary (s->engine), p->temporary_mark);
   s->txn.savepoints = p->outer;
   s->txn.modes = p->modes;
   mt_cursors_released (s, p->depth - 1);
   return true;
}

static bool roll_back_to (MtSession *s, const char *name, MtError *err)
{
   MtSavepoint *p = find_savepoint (s, name, err);
   if (!p)
      return false;
   mt_cursors_undone (s, p->depth);
   return_to (s, p);
   mt_catalog_invalidate (s->catalog);
   s->txn.savepoints = p;
   s->txn.state = MT_TRANSACTION_OPEN;
   mt_settings_restore (s, &p->settings);
   s->txn.kept = p->kept;
   s->txn.modes = p->modes;
   return true;
}

/* ---- statements ---- */

static bool run_begin (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   bool start = st->stmt->transaction.verb == MT_TXN_START;
   mt_result_set_tag (st->result, start ? "START TRANSACTION" : "BEGIN");
   if (s->txn.state == MT_TRANSACTION_NONE)
      return begin_block (s, st->stmt->transaction.modes, err);
   if (is_explicit (s))
      mt_notice (s, "WARNING", NULL, "there is already a transaction in progress");
   s->txn.implicit = false;
   MtTxnModes said = st->stmt->transaction.modes;
   return !(said.isolation || said.access || said.deferrable) || mt_set_transaction (s, said, err);
}

static bool run_end (MtStatement *st, bool commits, MtError *err)
{
   MtSession *s = st->session;
   bool chain = st->stmt->transaction.chain;
   mt_result_set_tag (st->result, commits ? "COMMIT" : "ROLLBACK");
   if (!is_explicit (s) && chain)
      return mt_error (err, MT_E_NO_TRANSACTION,
                       "%s AND CHAIN can only be used in transaction blocks",
                       commits ? "COMMIT" : "ROLLBACK");
   if (!is_explicit (s))
      mt_notice (s, "WARNING", NULL, "there is no transaction in progress");
   if (s->txn.state == MT_TRANSACTION_NONE)
      return true;
   MtTxnModes modes = s->txn.modes;
   if (s->txn.state == MT_TRANSACTION_FAILED) {
      mt_result_set_tag (st->result, "ROLLBACK");
      /* As in PostgreSQL, modes that were set after the savepoint (or the beginning) are lost by
       * the error. */
      modes = s->txn.savepoints ? s->txn.savepoints->modes : s->txn.chained;
   }
   if (s->txn.state == MT_TRANSACTION_FAILED || !commits) {
      mt_transaction_abandon (s);
      mt_memory_forgive (&s->shortage); /* the shortage of memory can fail nothing more */
   } else if (!commit_block (s, err))
      return false;
   if (chain && !begin_block (s, modes, err))
      return false;
   s->txn.chained = chain ? s->txn.modes : (MtTxnModes) {0};
   return true;
}

static bool run_savepoint (MtStatement *st, MtError *err)
{
   static const char *const words[] = {[MT_TXN_SAVEPOINT] = "SAVEPOINT",
                                       [MT_TXN_RELEASE] = "RELEASE SAVEPOINT",
                                       [MT_TXN_ROLLBACK_TO] = "ROLLBACK TO SAVEPOINT"};
   static const char *const tags[] = {[MT_TXN_SAVEPOINT] = "SAVEPOINT",
                                      [MT_TXN_RELEASE] = "RELEASE",
                                      [MT_TXN_ROLLBACK_TO] = "ROLLBACK"};
   MtTxnVerb verb = st->stmt->transaction.verb;
   const char *name = st->stmt->transaction.name.text;
   mt_result_set_tag (st->result, tags[verb]);
   if (!is_explicit (st->session))
      return mt_error (err, MT_E_NO_TRANSACTION, "%s can only be used in transaction blocks",
                       words[verb]);
   if (verb == MT_TXN_SAVEPOINT)
      return make_savepoint (st->session, name, err);
   return verb == MT_TXN_RELEASE ? release_savepoint (st->session, name, err)
                                 : roll_back_to (st->session, name, err);
}

bool mt_run_transaction (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   MtTxnModes said = st->stmt->transaction.modes;
   switch (st->stmt->transaction.verb) {
   case MT_TXN_BEGIN:
   case MT_TXN_START: return run_begin (st, err);
   case MT_TXN_COMMIT: return run_end (st, true, err);
   case MT_TXN_ROLLBACK: return run_end (st, false, err);
   case MT_TXN_SAVEPOINT:
   case MT_TXN_RELEASE:
   case MT_TXN_ROLLBACK_TO: return run_savepoint (st, err);
   case MT_TXN_SET: mt_result_set_tag (st->result, "SET"); return mt_set_transaction (s, said, err);
   case MT_TXN_SET_SESSION:
      mt_result_set_tag (st->result, "SET");
      if (!mt_check_isolation (s, said.isolation, err))
         return false;
      s->settings.default_modes = mt_txn_modes (s->settings.default_modes, said);
      s->txn.kept.default_modes = mt_txn_modes (s->txn.kept.default_modes, said);
      return true;
   }
   return false;
}
