/* Runs texts with several statements. All of them are one transaction, as in PostgreSQL's simple
 * query protocol. */
#include "session/dml/dml.h"
#include "session/run/run.h"
#include "session/state/session.h"

#include <string.h>
#include <strings.h>

/* ---- splitting the text ---- */

/* Sets s->several, whether the text has several statements, and s->at, the offset of the first
 * one. */
static void find_extents (MtScript *s)
{
   size_t at, end = 0;
   if (memchr (s->sql, ';', s->len) && mt_scan_next (s->sql, s->len, &s->at, &end))
      s->several = mt_scan_next (s->sql, s->len, &at, &end);
}

/* ---- checks of the whole text ---- */

static bool shift_error (size_t at, MtError *err)
{
   if (err->span.start >= 0)
      err->span.start += (int32_t) at;
   return false;
}

/* Parses each statement that begins before offset `stop`, and passes it to `each` (NULL: only
 * parses). Returns false at the first error, or when `each` returns false. */
static bool parse_each (const MtScript *s, size_t stop, bool (*each) (const MtStmt *stmt),
                        MtError *err)
{
   MtArena *a = mt_arena_new ("script", NULL);
   size_t at, end = 0;
   bool ok = true;
   while (ok && mt_scan_next (s->sql, s->len, &at, &end) && at < stop) {
      MtStmt *stmt = NULL;
      mt_arena_reset (a);
      ok = mt_parse (a, s->sql + at, end - at, &stmt, err) ? !each || !stmt || each (stmt)
                                                           : shift_error (at, err);
   }
   mt_arena_free (a);
   return ok;
}

static bool only_reads (const MtStmt *stmt) { return !mt_stmt_writes (stmt); }
static bool defines_nothing (const MtStmt *stmt) { return !mt_stmt_defines (stmt); }

static bool has_one_action (const MtStmt *stmt)
{
   return stmt->kind != MT_STMT_ALTER_TABLE || !stmt->alter_table.next;
}

/* Sets script->several also for one ALTER TABLE with several actions, on a target without
 * savepoints: if an action fails, the whole transaction has to be undone, as with several
 * statements. */
static void find_actions (const MtSession *s, MtScript *script)
{
   MtError ignored;
   mt_error_clear (&ignored);
   bool may = !script->several && memchr (script->sql, ',', script->len) &&
              !mt_engine_target_caps (s->engine)->savepoints;
   size_t at, end = 0;
   if (may && mt_scan_next (script->sql, script->len, &at, &end) && end - at > 5 &&
       strncasecmp (script->sql + at, "alter", 5) == 0)
      script->several = !parse_each (script, script->len, has_one_action, &ignored) &&
                        !mt_error_is_set (&ignored);
}

/* Parses all statements of the text before the first one runs, so that a syntax error in one
 * prevents all. Sets s->defines and s->undoable. */
static bool parse_ahead (MtScript *s, MtError *err)
{
   MtError none;
   mt_error_clear (&none);
   if (!s->several)
      return true;
   if (!parse_each (s, s->len, NULL, err))
      return false;
   s->defines = !parse_each (s, s->len, defines_nothing, &none);
   s->undoable = parse_each (s, s->len, mt_stmt_is_undoable, &none);
   return true;
}

/* After an error, warns that the statements before the failed one stay committed, if they had no
 * common transaction and changed something. */
static void warn_of_committed (MtSession *s, const MtScript *script)
{
   MtError ignored;
   if (mt_transaction_can_be_implicit (s, script) || s->txn.state != MT_TRANSACTION_NONE ||
       mt_engine_caps (s->engine)->read_only)
      return;
   mt_error_clear (&ignored);
   if (!parse_each (script, script->at, only_reads, &ignored))
      mt_notice (
         s, "WARNING", NULL,
         "the statements before the failed one are committed: this server cannot undo all of them");
}

/* ---- running ---- */

static bool begin_script (MtSession *s, MtScript *script, MtError *err)
{
   script->begun = true;
   find_extents (script);
   find_actions (s, script);
   mt_error_clear (err);
   if (mt_statement_start (s, err) && parse_ahead (script, err))
      return true;
   mt_transaction_failed (s);
   return false;
}

/* Ends the implicit transaction after the last statement. If this statement returns rows, the
 * transaction ends only after they are read. */
static bool finish_script (MtSession *s, MtResult *r, MtError *err)
{
   if (!mt_transaction_is_implicit (s))
      return true;
   if (r->verdict)
      mt_transaction_failed (s);
   r->ends_script = r->kind == MT_RESULT_CURSOR;
   return r->ends_script || mt_transaction_end_implicit (s, err);
}

static bool run_only (MtSession *s, MtScript *script, MtResult **out, MtError *err)
{
   script->end = script->len;
   script->last = true;
   return mt_run_one (s, script->sql + script->at, script->len - script->at, out, err) ||
          shift_error (script->at, err);
}

static bool run_next (MtSession *s, MtScript *script, MtResult **out, MtError *err)
{
   size_t at, end = script->end;
   *out = NULL;
   if (script->last)
      return true;
   if (!script->several)
      return run_only (s, script, out, err);
   if (!mt_scan_next (script->sql, script->len, &at, &end))
      return true;
   script->at = at;
   script->end = end;
   script->last = !mt_scan_next (script->sql, script->len, &at, &end);
   if (!mt_transaction_begin_implicit (s, script, err))
      return false;
   if (!mt_run_one (s, script->sql + script->at, script->end - script->at, out, err)) {
      warn_of_committed (s, script);
      return shift_error (script->at, err);
   }
   if (!script->last || finish_script (s, *out, err))
      return true;
   mt_result_free (*out);
   *out = NULL;
   return false;
}

bool mt_script_next (MtSession *s, MtScript *script, MtResult **out, MtError *err)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   return (script->begun || begin_script (s, script, err)) && run_next (s, script, out, err);
}

void mt_script_close (MtSession *s)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   if (mt_transaction_is_implicit (s))
      mt_transaction_abandon (s);
}

static bool read_to_end (MtResult *r, MtError *err)
{
   bool more = true, ok = true;
   r->unprinted = true;
   while (ok && more)
      ok = mt_result_next (r, &more, err);
   return ok && mt_result_verdict (r, err);
}

bool mt_query (MtSession *s, const char *sql, long len, MtResult **out, MtError *err)
{
   MtScript script = {.sql = sql, .len = len < 0 ? strlen (sql) : (size_t) len};
   MtResult *r;
   while (mt_script_next (s, &script, &r, err)) {
      if (script.last) {
         *out = r;
         return true;
      }
      bool ok = read_to_end (r, err);
      mt_result_free (r);
      if (!ok)
         break;
   }
   mt_script_close (s);
   return false;
}

/* ---- the end of a script's last result ---- */

bool mt_script_ended (MtResult *r, MtError *err)
{
   r->ends_script = false;
   mt_result_close (r);
   return mt_transaction_end_implicit (r->session, err);
}

void mt_script_left (MtResult *r)
{
   MtError err;
   mt_error_clear (&err);
   if (!read_to_end (r, &err))
      mt_notice (r->session, "WARNING", NULL, "the statements were rolled back: %s", err.message);
}
