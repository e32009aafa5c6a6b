/* Refreshes a continuous view. The README.md of session/continuous draws the protocol. */
#include "session/upkeep/upkeep.h"

#include "session/coordinate/coordinate.h"
#include "session/upkeep/claim.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/dml/dml.h"

#include <string.h>

enum {
   LEASE_MS = 60000,    /* how long a refresh on a server that was killed keeps others out */
   BATCH_MS = 45000,    /* after so long, a server's batch is cancelled, before its lease ends */
   BATCH_BUCKETS = 1000 /* the most buckets of a server's batch */
};

typedef struct Refresh {
   MtStatement *st;
   MtSession *s;
   MtArena *a;
   const char *name, *definition;
   MtContinuous *v;
   MtRange window; /* whole buckets */
   bool force;
   bool server;      /* other clients see changed documents before the refresh ends */
   MtClaim claim;    /* only on a server: prevents two refreshes of a view at once */
   int64_t before;   /* the time up to which the view was computed before the refresh */
   int64_t after;    /* … and the time up to which it is computed now */
   int64_t first_ms; /* the time of the first row of the view's source; MT_TIME_MAX: none */
   MtRangeSet todo;  /* the times whose buckets are computed */
   uint64_t count;
} Refresh;

/* ---- statements within the refresh ---- */

/* Runs a DELETE or INSERT. reads: it may read views; otherwise the names in it are those of tables
 * only. */
static bool run (Refresh *r, const char *sql, bool reads, MtError *err)
{
   MtArena *a = mt_arena_new ("refresh", NULL);
   MtResult *result = mt_result_new (r->s, a);
   MtStmt *stmt;
   MtStatement st;
   bool ok = mt_parse (a, sql, strlen (sql), &stmt, err);
   if (ok) {
      mt_statement_init (r->s, a, stmt, &st);
      st.result = result;
      st.refreshes = true;
      st.sql = sql;
      st.sql_len = strlen (sql);
      if (!reads)
         st.env.view = NULL;
      ok = stmt->kind == MT_STMT_DELETE ? mt_run_change (&st, err) : mt_run_insert (&st, err);
   }
   mt_result_free (result);
   err->span = MT_NO_SPAN;
   return ok;
}

/* Runs a query that returns one time, and sets *out to it, or to `none` if it is NULL. */
static bool time_of (Refresh *r, const char *sql, int64_t none, int64_t *out, MtError *err)
{
   MtStmt *stmt;
   MtPlan *plan;
   MtResult *rows = NULL;
   MtStatement st;
   bool more;
   if (!mt_parse (r->a, sql, strlen (sql), &stmt, err))
      return false;
   mt_statement_init (r->s, r->a, stmt, &st);
   bool ok = mt_plan_select (&st, stmt->select, &plan, err) &&
             mt_rows_of_plan (&st, plan, &rows, err) && mt_result_next (rows, &more, err);
   if (ok) {
      MtVal v = mt_result_value (rows, 0);
      *out = v.type == MT_DATE ? v.i : none;
   }
   mt_result_free (rows);
   return ok;
}

/* ---- what to compute ---- */

static const char *source_column (const Refresh *r)
{
   const MtTable *t;
   MtError ignored;
   if (!mt_catalog_find_among (r->s->catalog, MT_PERMANENT_TABLES, r->v->source, true, &t,
                               &ignored) ||
       !t)
      return NULL;
   return mt_quoted (r->a, t->columns[t->time_column].name);
}

/* Sets r->first_ms to the time of the source's first row, and *last to that of its last row from
 * r->before on. */
static bool find_ends (Refresh *r, int64_t *last, MtError *err)
{
   const char *column = source_column (r), *from = mt_quoted (r->a, r->v->source);
   MtRangeSet since = mt_ranges_one (r->a, r->before, MT_TIME_MAX);
   if (!column)
      return mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", r->v->source);
   const char *fresh = mt_continuous_condition (r->a, column, r->v->type, since);
   return time_of (r, mt_printf (r->a, "SELECT min (%s) FROM %s", column, from), MT_TIME_MAX,
                   &r->first_ms, err) &&
          time_of (r,
                   mt_printf (r->a, "SELECT max (%s) FROM %s%s%s", column, from,
                              fresh ? " WHERE " : "", fresh ? fresh : ""),
                   MT_TIME_MIN, last, err);
}

/* Computes the new watermark r->after (all buckets before it were computed): the end of the last
 * bucket that has rows, but not after the end of the window. It stays if the window ends before
 * it. */
static bool move_watermark (Refresh *r, MtError *err)
{
   int64_t last, end;
   MtRange bucket;
   r->after = r->before;
   if (r->window.hi <= r->before || !mt_continuous_has_tail (r->s, r->a, r->v))
      return true;
   if (!find_ends (r, &last, err) || last == MT_TIME_MIN)
      return last == MT_TIME_MIN && !*err->sqlstate;
   if (!mt_bucket_of (r->s, r->v, last, &bucket, err))
      return false;
   end = bucket.hi < r->window.hi ? bucket.hi : r->window.hi;
   if (end > r->window.lo)
      r->after = end;
   return true;
}

static bool find_todo (Refresh *r, MtError *err)
{
   MtArena *a = r->a;
   int64_t kept;
   r->before = r->v->watermark_ms;
   r->first_ms = MT_TIME_MAX;
   if (!mt_kept_before (r->s, r->v, r->st->env.style.now_ms, &kept, err) ||
       !move_watermark (r, err))
      return false;
   MtRangeSet window = mt_ranges_one (a, r->window.lo, r->window.hi),
              stored = mt_ranges_one (a, kept, r->before),
              old = r->force
                       ? stored
                       : mt_ranges_intersect (a, stored, mt_stale_ranges (r->s, a, r->v, false));
   r->todo = mt_ranges_intersect (a, window,
                                  mt_ranges_union (a, old, mt_ranges_one (a, r->before, r->after)));
   return true;
}

static bool count_todo (Refresh *r, MtError *err)
{
   for (int i = 0; i < r->todo.count; i++) {
      MtRange range = r->todo.ranges[i];
      int64_t last;
      if (range.lo == MT_TIME_MIN && r->first_ms == MT_TIME_MAX && !find_ends (r, &last, err))
         return false;
      if (range.lo == MT_TIME_MIN)
         range.lo = r->first_ms < range.hi ? r->first_ms : range.hi;
      if (!mt_bucket_floor (r->s, r->v, &range.lo, err) ||
          !mt_bucket_count (r->s, r->v, range, &r->count, err))
         return false;
   }
   return true;
}

/* ---- marks ---- */

/* Replaces the stale marks (time ranges to compute again) that overlap the window: by marks for the
 * parts outside of the window, and by claimed marks for the parts that this refresh computes. */
static bool claim_marks (Refresh *r, MtError *err)
{
   size_t n;
   const MtStale *list = mt_stale_list (r->s, r->a, r->v, &n);
   MtRangeSet window = mt_ranges_one (r->a, r->window.lo, r->window.hi), rest = {0}, had = {0};
   for (size_t i = 0; i < n; i++) {
      MtRangeSet one = mt_ranges_one (r->a, list[i].range.lo, list[i].range.hi);
      if (mt_ranges_intersect (r->a, one, window).count)
         rest = mt_ranges_union (r->a, rest, mt_ranges_without (r->a, one, window));
      else
         had = mt_ranges_union (r->a, had, one);
   }
   if (r->after > r->before) /* buckets before the window that were never computed */
      rest = mt_ranges_union (
         r->a, rest, mt_ranges_without (r->a, mt_ranges_one (r->a, r->before, r->after), window));
   rest = mt_ranges_without (r->a, rest, had);
   for (int i = 0; i < rest.count; i++)
      if (!mt_stale_add (r->s, r->a, r->v, rest.ranges[i], false, err))
         return false;
   for (int i = 0; r->server && i < r->todo.count; i++)
      if (!mt_stale_add (r->s, r->a, r->v, r->todo.ranges[i], true, err))
         return false;
   for (size_t i = 0; i < n; i++)
      if (list[i].range.lo < r->window.hi && list[i].range.hi > r->window.lo &&
          !mt_stale_drop (r->s, list[i].name, err))
         return false;
   return true;
}

/* Removes the claimed marks of the buckets that this refresh has computed. */
static bool drop_claimed (Refresh *r, MtError *err)
{
   size_t n;
   const MtStale *list = mt_stale_list (r->s, r->a, r->v, &n);
   for (size_t i = 0; i < n; i++)
      if (list[i].claimed && list[i].range.lo >= r->window.lo && list[i].range.hi <= r->window.hi &&
          !mt_stale_drop (r->s, list[i].name, err))
         return false;
   return true;
}

static bool save_watermark (Refresh *r, MtError *err)
{
   if (r->after == r->before)
      return true;
   r->v->watermark_ms = r->after;
   return mt_continuous_save (r->s, r->a, r->v, err);
}

/* Marks the computed buckets as stale in the views that read this view. Needed only if the view's
 * rows can change without a change of its source: after a forced refresh, or if the view shows only
 * materialized rows. */
static bool touch_readers (Refresh *r, MtError *err)
{
   const MtTable *t;
   MtTouch *touch;
   if (!r->force && !r->v->materialized_only)
      return true;
   return mt_catalog_find_among (r->s->catalog, MT_PERMANENT_TABLES, r->name, true, &t, err) && t &&
          mt_touch_open (r->st, t, &touch, err) && mt_touch_ranges (touch, r->todo, err) &&
          mt_touch_save (touch, err);
}

/* ---- on a server ---- */

static bool hold_claim (Refresh *r, MtError *err)
{
   bool got;
   int64_t now = mt_wall_ms ();
   if (!r->server || r->claim.until_ms - now > BATCH_MS)
      return true;
   if (!mt_claim_until (&r->claim, now + LEASE_MS, &got, err))
      return false;
   if (got)
      return true;
   mt_error (err, MT_E_IN_USE, "another program refreshes continuous view \"%s\"", r->name);
   return mt_error_hint (err, "If that program was killed, its claim ends within %d seconds.",
                         LEASE_MS / 1000);
}

/* On a server, waits until statements have ended that began to write to the source before the marks
 * were claimed: such statements may not have added marks. */
static bool await_writers (Refresh *r, MtError *err)
{
   const char *source = r->v->source;
   if (!r->server)
      return true;
   if (!mt_leases_run_out (r->s, true, err))
      return false;
   while (source) { /* down to the table */
      const MtTable *t;
      MtContinuous *v;
      if (!mt_catalog_find_among (r->s->catalog, MT_PERMANENT_TABLES, source, true, &t, err) ||
          (t && !mt_writers_end (r->st, t, err)) ||
          !mt_continuous_find (r->s, r->a, source, &v, err))
         return false;
      source = v ? v->source : NULL;
   }
   return true;
}

/* ---- computing ---- */

/* Returns the ORDER BY clause for the INSERT: new rows are ordered by their bucket. So the rows of
 * a bucket are in few blocks of the store, and the next refresh reads only these. "" on a server,
 * which has an index instead, and for packed documents, which are found by their keys. */
static const char *order_clause (const Refresh *r)
{
   const MtTable *t;
   MtError ignored;
   if (r->server ||
       !mt_catalog_find_among (r->s->catalog, MT_PERMANENT_TABLES, r->name, true, &t, &ignored) ||
       !t || !mt_store_is_rows (&t->layouts[0].stores[0]))
      return "";
   for (size_t i = 0; i < t->column_count; i++)
      if (strcmp (t->columns[i].name, r->v->column) == 0)
         return mt_printf (r->a, " ORDER BY %zu", i + 1);
   return "";
}

/* Deletes the view's rows in the buckets of `ranges`, and inserts newly computed ones. */
static bool replace_rows (Refresh *r, MtRangeSet ranges, MtError *err)
{
   MtRangeSet old = mt_ranges_intersect (r->a, ranges,
                                         mt_ranges_one (r->a, MT_TIME_MIN, r->before));
   const char *column = mt_quoted (r->a, r->v->column), *name = mt_quoted (r->a, r->name),
              *condition = mt_continuous_condition (r->a, column, r->v->type, old), *query;
   if (old.count && !run (r,
                          mt_printf (r->a, "DELETE FROM %s%s%s", name, condition ? " WHERE " : "",
                                     condition ? condition : ""),
                          false, err))
      return false;
   return mt_continuous_query (r->a, r->v, r->definition, ranges, &query, err) &&
          run (r, mt_printf (r->a, "INSERT INTO %s %s%s", name, query, order_clause (r)), true,
               err);
}

/* Replaces the rows of one batch of buckets on a server, while the claim is held. */
static bool run_batch (Refresh *r, MtRange range, MtError *err)
{
   int64_t deadline = r->s->cancel.deadline_ms, until = mt_now_ms () + BATCH_MS;
   if (!hold_claim (r, err))
      return false;
   r->s->cancel.deadline_ms = deadline && deadline < until ? deadline : until;
   bool ok = replace_rows (r, mt_ranges_one (r->a, range.lo, range.hi), err);
   r->s->cancel.deadline_ms = deadline;
   return ok;
}

/* Splits a range into batches of buckets, and computes each. The first batch may begin at
 * MT_TIME_MIN. */
static bool run_batches (Refresh *r, MtRange range, MtError *err)
{
   MtRange batch = range, bucket = {.hi = range.lo == MT_TIME_MIN ? r->first_ms : range.lo};
   while (bucket.hi < range.hi) {
      for (int i = 0; i < BATCH_BUCKETS && bucket.hi < range.hi; i++)
         if (!mt_bucket_of (r->s, r->v, bucket.hi, &bucket, err))
            return false;
      batch.hi = bucket.hi < range.hi ? bucket.hi : range.hi;
      if (!run_batch (r, batch, err))
         return false;
      batch.lo = batch.hi;
   }
   return batch.lo == range.hi || run_batch (r, (MtRange) {batch.lo, range.hi}, err);
}

static bool compute (Refresh *r, MtError *err)
{
   if (!r->server)
      return !r->todo.count || replace_rows (r, r->todo, err);
   /* An interrupted refresh may have left rows after the watermark, so rows are deleted up to the
    * new watermark. */
   r->before = r->after > r->before ? r->after : r->before;
   for (int i = 0; i < r->todo.count; i++)
      if (!run_batches (r, r->todo.ranges[i], err))
         return false;
   return hold_claim (r, err);
}

/* ---- the refresh ---- */

static bool find_view (Refresh *r, MtError *err)
{
   r->definition = mt_matview_definition (r->s, r->a, r->name);
   if (!mt_continuous_find (r->s, r->a, r->name, &r->v, err))
      return false;
   return (r->v && r->definition) ||
          mt_error (err, MT_E_UNDEFINED_TABLE, "relation \"%s\" does not exist", r->name);
}

static bool refresh (Refresh *r, MtError *err)
{
   if (!mt_bucket_ceil (r->s, r->v, &r->window.lo, err) ||
       !mt_bucket_floor (r->s, r->v, &r->window.hi, err))
      return false;
   if (r->window.lo >= r->window.hi) /* no whole bucket */
      return true;
   return find_todo (r, err) && count_todo (r, err) && claim_marks (r, err) &&
          save_watermark (r, err) && await_writers (r, err) && touch_readers (r, err) &&
          compute (r, err) && drop_claimed (r, err);
}

/* Takes the claim on the view, and then reads the catalog, which the last refresh may have
 * changed. */
static bool begin_on_server (Refresh *r, MtError *err)
{
   if (r->s->txn.state != MT_TRANSACTION_NONE)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION,
                       "a continuous view cannot be refreshed in a transaction block on a server");
   return hold_claim (r, err) && mt_catalog_refresh (r->s->catalog, NULL, err) &&
          find_view (r, err);
}

bool mt_refresh_continuous (MtStatement *st, const char *name, MtRange window, bool force,
                            uint64_t *count, MtError *err)
{
   Refresh r = {.st = st,
                .s = st->session,
                .a = st->arena,
                .name = mt_strdup (st->arena, name),
                .window = window,
                .force = force,
                .server = !mt_engine_caps (st->session->engine)->savepoints};
   if (mt_engine_caps (r.s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot refresh \"%s\": the target is read-only", name);
   if (!find_view (&r, err))
      return false;
   mt_claim_init (&r.claim, r.s, "continuous_claim", r.v->id);
   bool ok = (!r.server || begin_on_server (&r, err)) && refresh (&r, err);
   if (r.server)
      mt_claim_end (&r.claim);
   *count = r.count;
   if (ok && r.count)
      mt_notice (r.s, "NOTICE", NULL, "continuous view \"%s\": %llu bucket%s refreshed", name,
                 (unsigned long long) r.count, mt_plural (r.count));
   else if (ok)
      mt_notice (r.s, "NOTICE", NULL, "continuous view \"%s\" is already up-to-date", name);
   return ok;
}

bool mt_run_refresh_continuous (MtStatement *st, const char *name, MtError *err)
{
   uint64_t count;
   mt_result_set_tag (st->result, "REFRESH MATERIALIZED VIEW");
   if (st->stmt->refresh.no_data) {
      mt_error (err, MT_E_FEATURE, "WITH NO DATA is not supported for a continuous view");
      return mt_error_hint (err, "Drop the view, and create it again.");
   }
   return mt_refresh_continuous (st, name, (MtRange) {MT_TIME_MIN, MT_TIME_MAX}, true, &count, err);
}
