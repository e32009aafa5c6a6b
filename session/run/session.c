/* Running one statement: its catalog, its locks, and running it again after others changed its tables. */
#include "layouts/collections/partition.h"
#include "layouts/pack/prealloc.h"
#include "functions/signature.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
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
   return mt_result_run (st->result, plan, false, err);
}

/* Removes a bounded number of expired documents, at most once per sweep_interval. */
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
   MtError lost; /* ignored: a later sweep removes them */
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
   if (!mt_transaction_may_write (st->session, st->stmt, err) || !mt_intents_await (st, err) ||
       !mt_write_begin (st, &own, err))
      return false;
   bool ok = mt_write_end (st, own,
                           mt_check_names (st, err) && mt_matview_admits (st, err) &&
                              mt_stmt_row (st->stmt)->run (st, err),
                           err);
   bool told = mt_catalog_told (st->session->catalog);
   st->session->txn.told |= told;
   if (told && ok && !st->session->announced)
      mt_leases_run_out_behind (st->session);
   if (ok && mt_stmt_adds_rows (st->stmt))
      sweep_sometimes (st->session);
   return ok;
}

MtLook mt_look_of (const MtStmt *stmt)
{
   bool rows = stmt->kind == MT_STMT_INSERT && !stmt->insert.conflict &&
               (!stmt->insert.source || mt_is_plain_values (stmt->insert.source));
   bool change = stmt->kind == MT_STMT_UPDATE || stmt->kind == MT_STMT_DELETE;
   return stmt->kind == MT_STMT_SELECT ? MT_LOOKS_BESIDE
          : rows                       ? MT_LOOKS_BEHIND
          : change                     ? MT_LOOKS_ITSELF
                                       : MT_LOOKS_FIRST;
}

/* On a server without transactions: a row goes by a look of a moment ago, for there is one behind
 * it, or a lease (mt_write_confirm). */
static bool may_trust (const MtSession *s)
{
   return (s->looks == MT_LOOKS_ITSELF || (s->looks == MT_LOOKS_BEHIND && mt_look_is_fresh (s))) &&
          s->txn.state == MT_TRANSACTION_NONE && mt_leases_apply (s);
}

/* What a statement that writes knows of its table must be true, when it begins or before it ends;
 * one that reads may be told to be content with what was true a moment ago, or (with `assumes`) may
 * find out while it reads. */
static bool look_at_catalog (MtSession *s, const MtStmt *stmt, bool assumes, MtError *err)
{
   s->looks = !stmt                           ? MT_LOOKS_FIRST
              : stmt->kind == MT_STMT_EXECUTE ? mt_prepared_look (s, &stmt->execute.name)
                                              : mt_look_of (stmt);
   bool reads = s->looks == MT_LOOKS_BESIDE;
   s->assumes = s->partitions_due = s->trusts = s->fed = s->announced = s->displaced = s->outrun =
      false;
   if (!mt_stmt_needs_catalog (stmt))
      return true;
   if (reads && mt_catalog_age_us (s->catalog) < 1000 * s->settings.catalog_max_age) {
      mt_catalog_keep (s->catalog);
      return true;
   }
   s->assumes = reads && assumes && s->txn.state == MT_TRANSACTION_NONE &&
                mt_engine_target_caps (s->engine)->finds_beside && mt_catalog_assume (s->catalog);
   s->trusts = assumes && may_trust (s) && mt_catalog_assume (s->catalog);
   s->partitions_due = s->assumes || s->trusts;
   return s->assumes || s->trusts || mt_catalog_refresh (s->catalog, NULL, err);
}

static bool begin (MtSession *s, MtArena *a, const char *sql, size_t n, bool assumes,
                   MtStatement *out, MtError *err)
{
   MtStmt *stmt;
   mt_error_clear (err);
   if (!mt_parse (a, sql, n, &stmt, err) || !mt_transaction_admits (s, stmt, err) ||
       !look_at_catalog (s, stmt, assumes, err))
      return false;
   mt_system_reset (s);
   s->met_temporary = false;
   mt_statement_init (s, a, stmt, out);
   out->sql = sql;
   out->sql_len = n;
   return true;
}

bool mt_statement_begin (MtSession *s, MtArena *a, const char *sql, long len, MtStatement *out,
                         MtError *err)
{
   if (!mt_statement_start (s, err))
      return false;
   return begin (s, a, sql, len < 0 ? strlen (sql) : (size_t) len, false, out, err);
}

/* Whether a statement that read by what was known of the catalog is well (`ok`: so far), and was
 * right to. No row of it was given out yet, and an error may come of what isn't so any more. */
static bool confirm (MtSession *s, MtResult *r, bool ok, bool *again, MtError *err)
{
   const bson_t *version = NULL;
   bool found = false, same = true;
   MtError ignored;
   int64_t before = mt_now_us ();
   s->assumes = false;
   ok = ok && (!r->remote || mt_cursor_beside (r->remote, &found, &version, err));
   if (!ok && (mt_error_is (err, MT_E_CANCELED) || mt_error_in (err, MT_CLASS_CONNECTION)))
      return false;
   bool asked = mt_catalog_confirm (s->catalog, found, version, &same, ok ? err : &ignored);
   r->execute_us += mt_now_us () - before;
   *again = asked && !same;
   return ok && asked;
}

/* Whether an error may come of what isn't so any more, and all that was done is undone. */
static bool has_changed (MtSession *s, const MtError *err)
{
   bool same = true,
        left = s->fed && (mt_error_is (err, MT_E_SERIALIZATION) || mt_engine_leftover (s->engine));
   MtError ignored;
   s->trusts = false;
   return !left && !mt_error_is (err, MT_E_CANCELED) && !mt_error_in (err, MT_CLASS_CONNECTION) &&
          mt_catalog_unchanged (s->catalog, &same, &ignored) && !same;
}

/* An ALTER TABLE that others' writes outran, or a change of sums, of which nothing is left: where
 * one takes locks, it would have waited for them. */
static bool was_outrun (const MtSession *s, const MtStmt *stmt, const MtError *err)
{
   bool begins_again = s->outrun || (stmt && stmt->kind == MT_STMT_ALTER_TABLE),
        waits = s->settings.lock_timeout > 0 && mt_error_is (err, MT_E_IN_USE);
   return begins_again && (waits || mt_error_is (err, MT_E_SERIALIZATION)) &&
          s->txn.state == MT_TRANSACTION_NONE && !s->displaced && !mt_engine_leftover (s->engine);
}

/* Before it is tried once more: at once first, then after longer and longer pauses. Without a
 * lock_timeout it isn't tried for ever. */
static bool goes_again (MtSession *s, int tries, int64_t until_ms, MtError *err)
{
   enum { MOST_TRIES = 20, LONGEST_PAUSE_MS = 64 };
   int64_t left = until_ms - mt_now_ms (),
           pause = tries < 7 ? INT64_C (1) << tries : LONGEST_PAUSE_MS;
   if (!tries)
      return true;
   if (until_ms ? left <= 0 : tries >= MOST_TRIES)
      return false;
   pause = until_ms && left < pause ? left : pause;
   nanosleep (&(struct timespec) {.tv_nsec = pause * 1000000}, NULL);
   return mt_cancel_check (&s->cancel, err);
}

/* again: it isn't done, for another client has changed the catalog. */
static bool query (MtSession *s, const char *sql, size_t n, bool assumes, bool *again,
                   MtResult **out, MtError *err)
{
   MtArena *a = s->spare ? s->spare : mt_arena_new ("statement", NULL);
   MtResult *r = *out = mt_result_new (s, a);
   s->spare = NULL;
   r->statement = true;
   MtStatement st = {0};
   r->started_us = mt_now_us ();
   bool ok = begin (s, a, sql, n, assumes, &st, err);
   if (ok && st.stmt) {
      st.result = r;
      r->style = st.env.style;
      r->looks = s->assumes;
      ok = mt_run_stmt (&st, err);
   }
   if (!r->planned_us)
      r->planned_us = mt_now_us ();
   *again = !ok && ((s->trusts && has_changed (s, err)) || was_outrun (s, st.stmt, err));
   return s->assumes ? confirm (s, r, ok, again, err) : ok;
}

bool mt_run_one (MtSession *s, const char *sql, size_t n, MtResult **out, MtError *err)
{
   MtResult *r;
   bool again;
   mt_set_deadline (s);
   bool ok = query (s, sql, n, true, &again, &r, err);
   int64_t until_ms = s->settings.lock_timeout ? mt_now_ms () + s->settings.lock_timeout : 0;
   for (int tries = 0; again && goes_again (s, tries, until_ms, err); tries++) {
      mt_result_free (r);
      ok = query (s, sql, n, false, &again, &r, err);
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
