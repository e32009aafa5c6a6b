/* mt_maintain: one maintenance pass over a target: retention, refreshes of views, and VACUUM. Each
 * step is a separate statement.
 *
 * A claim (a lease in the catalog) prevents a second pass at the same time. It is extended before
 * each step. If a step takes longer than the claim, a second pass may start, which does no harm:
 * the statements themselves exclude each other. */
#include "session/coordinate/coordinate.h"
#include "session/upkeep/claim.h"
#include "session/core/core.h"
#include "session/run/run.h"
#include "session/upkeep/upkeep.h"

#include "layouts/expire.h"
#include "types/datetime.h"

#include <stdlib.h>
#include <string.h>

enum {
   LEASE_MS = 300000, /* how long a maintenance run that was killed keeps others out */
   LOCK_MS = 60000    /* how long a step waits for other writers of a store */
};

typedef struct Pass {
   MtSession *s;
   MtArena *a;
   const MtMaintain *how;
   MtClaim claim;
   size_t *failed;
   MtBuf said; /* the text that the running step has printed */
   MtError *fatal;
   bool stops; /* *fatal is set */
} Pass;

/* ---- steps ---- */

/* Appends a message of the running step to p->said. A callback for notices
 * (MtOpenOptions.notice). */
static void hear (void *ctx, const char *severity, const char *message, const char *hint)
{
   Pass *p = ctx;
   (void) severity;
   (void) hint;
   mt_buf_printf (&p->said, "%s%s", p->said.n ? "; " : "", message);
}

/* Runs a statement, and appends the texts of its rows to p->said. */
static bool run_statement (Pass *p, const char *sql, MtError *err)
{
   MtResult *r = NULL;
   bool more = true, ok = mt_query (p->s, sql, -1, &r, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      hear (p, "", mt_result_text (r, 0, NULL), "");
   mt_result_free (r);
   return ok;
}

static bool hold (Pass *p)
{
   bool got = false;
   MtError *err = p->fatal;
   if (!mt_statement_start (p->s, err) ||
       !mt_claim_until (&p->claim, mt_wall_ms () + LEASE_MS, &got, err)) {
      p->stops = true;
      return false;
   }
   p->stops = !got;
   if (got)
      return true;
   mt_error (err, MT_E_IN_USE, "another program maintains this target");
   return mt_error_hint (err, "If that program was killed, its claim ends within %d seconds.",
                         LEASE_MS / 1000);
}

/* Runs one step, the statement `sql`, and reports its result with the names of the step and the
 * object. Returns whether it succeeded. */
static bool run_step (Pass *p, const char *step, const char *object, const char *sql)
{
   MtSession *s = p->s;
   MtOpenOptions kept = s->options;
   MtError err = {0};
   if (p->stops || !hold (p))
      return false;
   mt_buf_clear (&p->said);
   s->options.notice = hear;
   s->options.ctx = p;
   int64_t start = mt_now_us ();
   bool ok = run_statement (p, sql, &err);
   s->options.notice = kept.notice;
   s->options.ctx = kept.ctx;
   if (!ok && atomic_load (&s->cancel.requested)) {
      *p->fatal = err;
      p->stops = true;
      return false;
   }
   *p->failed += !ok;
   MtMaintainStep done = {.step = step,
                          .object = object,
                          .detail = p->said.n ? p->said.p : NULL,
                          .ms = (double) (mt_now_us () - start) / 1000,
                          .error = ok ? NULL : &err};
   p->how->report (p->how->ctx, &done);
   return ok;
}

/* ---- tables ---- */

/* Returns the names of the tables for which `is` returns true, ended by NULL. Temporary tables are
 * left out. */
static const char **tables_where (Pass *p, bool (*is) (const MtTable *t))
{
   size_t n, count = 0;
   const MtTable *const *all = mt_catalog_tables (p->s->catalog, &n);
   const char **names = MT_NEW_N (p->a, const char *, n + 1);
   for (size_t i = 0; i < n; i++)
      if (!all[i]->temporary && is (all[i]))
         names[count++] = mt_strdup (p->a, all[i]->name);
   return names;
}

/* Returns whether VACUUM can merge documents of the table. */
static bool can_merge (const MtTable *t)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count && !t->layouts[i].attached; k++)
         if (t->layouts[i].stores[k].repeats && !mt_store_is_rows (&t->layouts[i].stores[k]))
            return true;
   return false;
}

static bool does_expire (const MtTable *t) { return mt_expires (t); }

static void remove_expired (Pass *p)
{
   for (const char **t = tables_where (p, does_expire); *t && !p->stops; t++)
      run_step (p, "retention", *t,
                mt_printf (p->a, "CALL drop_chunks (%s)",
                           mt_quoted_text (p->a, mt_quoted (p->a, *t))));
}

static void vacuum (Pass *p)
{
   for (const char **t = tables_where (p, can_merge); *t && !p->stops; t++)
      run_step (p, "vacuum", *t, mt_printf (p->a, "VACUUM %s", mt_quoted (p->a, *t)));
}

/* ---- continuous views ---- */

/* Returns a bound of a refresh window as SQL: the current time minus `offset`; NULL: no bound. */
static const char *bound (Pass *p, const char *offset)
{
   return offset ? mt_printf (p->a, "now() - interval %s", mt_quoted_text (p->a, offset)) : "NULL";
}

static void refresh (Pass *p, const MtContinuous *v)
{
   int64_t ran, now = mt_wall_ms ();
   MtError err;
   const char *name = mt_quoted_text (p->a, mt_quoted (p->a, v->name));
   if (!mt_continuous_ran (p->s, p->a, v, &ran, &err))
      ran = 0;
   bool known = ran && ran <= now; /* otherwise the clock was set back */
   if (v->policy.set && known && now - ran < v->policy.every_ms)
      return;
   if (run_step (p, "refresh", v->name,
                 mt_printf (p->a, "CALL refresh_continuous_aggregate (%s, %s, %s)", name,
                            bound (p, v->policy.start), bound (p, v->policy.end))))
      mt_continuous_note_run (p->s, p->a, v, now, &err); /* if this is lost, it runs again */
}

static bool is_source (const MtContinuous *list, size_t n, const char *name)
{
   while (n > 0 && strcmp (list[n - 1].name, name) != 0)
      n--;
   return n > 0;
}

/* Refreshes all continuous views with a policy. Views that read other views come after them. */
static void refresh_views (Pass *p)
{
   MtContinuous *list;
   size_t n;
   if (p->stops || !mt_continuous_list (p->s, p->a, &list, &n, p->fatal)) {
      p->stops = true;
      return;
   }
   for (size_t left = n; left > 0 && !p->stops;) {
      size_t kept = 0;
      MtContinuous *later = MT_NEW_N (p->a, MtContinuous, left);
      for (size_t i = 0; i < left && !p->stops; i++)
         if (is_source (list, left, list[i].source))
            later[kept++] = list[i];
         else
            refresh (p, &list[i]);
      list = later;
      left = kept;
   }
}

/* ---- the pass ---- */

static bool may_maintain (MtSession *s, MtError *err)
{
   if (s->txn.state != MT_TRANSACTION_NONE)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "a target cannot be maintained in a transaction");
   if (mt_engine_caps (s->engine)->read_only || s->options.read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot maintain a read-only target");
   return mt_statement_start (s, err) && mt_catalog_refresh (s->catalog, NULL, err);
}

bool mt_maintain (MtSession *s, const MtMaintain *how, size_t *failed, MtError *err)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   MtArena *a = mt_arena_new ("maintain", NULL);
   Pass p = {.s = s, .a = a, .how = how, .failed = failed, .fatal = err};
   *failed = 0;
   mt_claim_init (&p.claim, s, "maintain_claim", "pass");
   if (s->settings.lock_timeout == 0)
      mt_engine_set_lock_timeout (s->engine, LOCK_MS);
   p.stops = !may_maintain (s, err) || !hold (&p);
   if (!p.stops)
      remove_expired (&p);
   refresh_views (&p);
   if (!p.stops)
      vacuum (&p);
   MtSuspended h = mt_cancel_suspend (s, mt_now_ms () + LOCK_MS);
   mt_claim_end (&p.claim);
   mt_cancel_resume (s, h);
   mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   mt_buf_free (&p.said);
   mt_arena_free (a);
   return !p.stops;
}
