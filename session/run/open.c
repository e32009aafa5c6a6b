/* Opens, closes and reconnects sessions. */
#include "layouts/pack/prealloc.h"
#include "functions/signature.h"
#include "session/state/advisory.h"
#include "session/core/sequence.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/undeclared.h"
#include "session/files/files.h"
#include "session/run/run.h"

#include <stdlib.h>
#include <string.h>

static void report_progress (void *ctx, const char *what, uint64_t done, uint64_t total,
                             uint64_t rows)
{
   MtSession *s = ctx;
   if (s->options.progress)
      s->options.progress (s->options.ctx, what, done, total, rows);
}

static void report_running (void *ctx, const char *what, uint64_t done, uint64_t total,
                            uint64_t rows)
{
   MtSession *s = ctx;
   if (!s->telling)
      report_progress (s, what, done, total, rows);
}

static bool open_engine (MtSession *s, MtError *err)
{
   MtEngineOptions o = {.read_only = s->options.read_only,
                        .create = !s->options.read_only,
                        .app_name = "mtsql",
                        .password = s->options.password,
                        .cancel = &s->cancel};
   if (!mt_engine_open (s->options.target, &o, &s->engine, err))
      return false;
   mt_engine_set_cancel (s->engine, &s->cancel);
   mt_engine_set_progress (s->engine, &s->running);
   mt_files_begin (s);
   bool ok = mt_engine_register_ops (s->engine, mt_sql_ops (), err) &&
             mt_register_session_ops (s, err) &&
             mt_catalog_open (s->engine, s->options.catalog, &s->catalog, err);
   if (ok)
      mt_coordination_init (s);
   return ok;
}

static const MtUpper upper = {mt_run_stmt, mt_execute_begin, mt_transaction_failed, mt_script_ended,
                              mt_script_left};

bool mt_open (const MtOpenOptions *options, MtSession **out, MtError *err)
{
   MtArena *a = mt_arena_new ("session", NULL);
   MtSession *s = MT_NEW (a, MtSession);
   s->arena = a;
   MT_RECORD_SHORTAGE (&s->shortage);
   s->options = *options;
   s->upper = &upper;
   s->progress = (MtProgress) {report_progress, s};
   s->running = (MtProgress) {report_running, s};
   if (options->opening)
      options->opening (options->ctx, s);
   bool ok = mt_memory_begin (&s->shortage, err) && open_engine (s, err) && mt_memory_check (err);
   if (options->opening)
      options->opening (options->ctx, NULL);
   if (!ok) {
      mt_close (s);
      return false;
   }
   s->options.password = NULL; /* the caller may overwrite it now */
   mt_settings_init (s);
   const MtError *damage = mt_engine_warning (s->engine);
   if (damage)
      mt_notice (s, "WARNING", damage->hint, "%s", damage->message);
   s->swept_ms = mt_now_ms ();
   s->names = (MtOidNames) {mt_system_print_oid, s};
   mt_extensions_sync (s);
   *out = s;
   return true;
}

/* Writes acknowledged commits to the disk. If that fails, sends a warning that they are lost. */
static void sync_last (MtSession *s)
{
   MtError err;
   mt_error_clear (&err);
   if (!mt_engine_sync (s->engine, &err))
      mt_notice (s, "WARNING", NULL, "the last commits with synchronous_commit = off are lost: %s",
                 err.message);
}

void mt_close (MtSession *s)
{
   if (!s)
      return;
   MT_RECORD_SHORTAGE (&s->shortage);
   mt_result_free (s->open_result);
   mt_transaction_abandon (s);
   mt_cursors_close (s);
   mt_advisory_release_all (s);
   mt_advisory_end_transaction (s);
   if (s->engine)
      mt_sequences_settle (s);
   if (s->engine) /* NULL: opening the engine failed */
      sync_last (s);
   MtError ignored; /* only statistics can be lost */
   mt_error_clear (&ignored);
   if (s->catalog) {
      mt_lease_end (s);
      mt_engine_set_lock_timeout (s->engine, 0); /* do not wait for other writers */
      mt_catalog_flush (s->catalog, &ignored);
   }
   mt_catalog_close (s->catalog);
   mt_engine_close (s->engine);
   mt_files_end (s);
   mt_arena_free (s->spare);
   mt_prealloc_free (s->prealloc);
   mt_arena_free (s->arena);
}

void mt_cancel (MtSession *s)
{
   if (atomic_exchange_explicit (&s->cancel.requested, true, memory_order_relaxed))
      atomic_store_explicit (&s->cancel.insisted, true, memory_order_relaxed);
}

bool mt_reconnect (MtSession *s, MtError *err)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   bool ready = mt_statement_start (s, err);
   mt_transaction_abandon (s);
   if (!ready || !mt_engine_reconnect (s->engine, err))
      return false;
   mt_catalog_invalidate (s->catalog);
   return true;
}
