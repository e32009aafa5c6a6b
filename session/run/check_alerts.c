/* mt_check_alerts: runs the queries of the alerts that are due, and gives a notice for each row
 * that starts or stops to be returned.
 *
 * The checking client holds a lease on the target (a claim, session/upkeep/claim.h), so that two
 * clients do not give the same notice. The state of an alert is saved after its notices. If the
 * client is killed in between, the next check gives these notices again. */
#include "session/core/alerts.h"
#include "session/upkeep/claim.h"
#include "session/core/core.h"
#include "session/coordinate/coordinate.h"
#include "engine/pipe.h"

#include <stdlib.h>
#include <string.h>

enum {
   LEASE_MS = 90000, /* how long a client that was killed keeps others from checking */
   /* At least this much time of the lease must be left before a query or a notice starts. Both end
    * before the lease does: a query after QUERY_MS, a command by the time limit of the program. */
   LEFT_MS = 75000,
   QUERY_MS = 60000,
   LOCK_MS = 10000,      /* how long a change of the state waits for other writers of a store */
   MOST_ROWS = 10000,    /* the largest number of rows that an alert's state keeps */
   MOST_BYTES = 8 << 20, /* the largest size of these rows: the state must fit in a document */
   CELL_BYTES = 64       /* estimated bytes of a value in the state, without its name and text */
};

typedef struct Checker {
   MtSession *s;
   const MtAlertCheck *how;
   MtAlertOutcome *out;
   MtClaim lease;
   MtError *fatal; /* the error that ends the whole check */
   bool stops;     /* *fatal is set */
} Checker;

/* The check of one alert. */
typedef struct One {
   Checker *c;
   MtArena *a;
   const MtAlert *alert;
   const char **command; /* the command of the alert; NULL: none */
   int64_t now_ms;
   MtAlertState before, after;
   size_t cap;    /* the allocated length of after.rows */
   size_t bytes;  /* the size of the rows in the state, as estimated */
   bool has_data; /* HAVING was not NULL for some group */
} One;

/* ---- the lease ---- */

#define LEASE "alert_lease"

/* Takes the lease until the time until_ms, or extends it; until_ms in the past: gives it back. *got
 * is false if another program holds it. */
static bool change_lease (Checker *c, int64_t until_ms, bool *got, MtError *err)
{
   MT_BEGIN_CALL (c->s, err);
   return mt_claim_until (&c->lease, until_ms, got, err) && mt_memory_check (err);
}

/* Gives the lease back. Tries twice, because a lease that stays prevents checks by other
 * clients. */
static void release_lease (Checker *c)
{
   bool got;
   MtError ignored;
   if (c->lease.until_ms && !c->stops && !change_lease (c, 0, &got, &ignored))
      change_lease (c, 0, &got, &ignored);
}

/* Makes sure that the lease lasts long enough for another query or notice. Returns false if the
 * whole check must stop. */
static bool hold_lease (Checker *c)
{
   int64_t now = mt_wall_ms ();
   bool got = false;
   if (c->lease.until_ms - now >= LEFT_MS)
      return true;
   bool ok = change_lease (c, now + LEASE_MS, &got, c->fatal);
   if (!ok) /* the change may have been stored in spite of the error */
      release_lease (c);
   c->stops = !ok || !got;
   if (!c->stops || !ok)
      return !c->stops;
   mt_error (c->fatal, MT_E_IN_USE, "another program checks the alerts of this target");
   return mt_error_hint (c->fatal, "If that program was killed, its claim ends within %d seconds.",
                         LEASE_MS / 1000);
}

/* ---- errors ---- */

/* Reports the error of one alert to the caller of mt_check_alerts, or, if the user cancelled, ends
 * the whole check. Returns false. */
static bool report (Checker *c, const MtAlert *alert, const MtError *err)
{
   if (atomic_load (&c->s->cancel.requested)) {
      *c->fatal = *err;
      release_lease (c);
      c->stops = true;
      return false;
   }
   c->out->failed++;
   c->how->failed (c->how->ctx, alert->name, err);
   return false;
}

/* ---- running the query ---- */

static MtAlertForm form_of (MtTypeId id, const char *text)
{
   if (mt_type_is_number (id)) /* leaves out NaN and Infinity */
      return text && strspn (text, "0123456789+-.eE") == strlen (text) ? MT_ALERT_NUMBER
                                                                       : MT_ALERT_TEXT;
   if (id == MT_T_BOOL)
      return MT_ALERT_BOOL;
   return mt_type_prints_json (id) ? MT_ALERT_JSON : MT_ALERT_TEXT;
}

static MtAlertRow *new_row (One *o)
{
   MT_GROW_IN (o->a, o->after.rows, o->after.count, o->cap, 16);
   MtAlertRow *row = &o->after.rows[o->after.count++];
   *row = (MtAlertRow) {0};
   return row;
}

static void add_row (One *o, MtResult *r)
{
   MtAlertRow *row = new_row (o);
   row->count = mt_result_columns (r);
   row->cells = MT_NEW_N (o->a, MtAlertCell, row->count + 1);
   for (size_t i = 0; i < row->count; i++) {
      const char *text = mt_result_text (r, i, NULL);
      row->cells[i] = (MtAlertCell) {.name = mt_strdup (o->a, mt_result_name (r, i)),
                                     .text = text ? mt_strdup (o->a, text) : NULL,
                                     .form = form_of (mt_result_type (r, i).id, text)};
      o->bytes += CELL_BYTES + strlen (row->cells[i].name) + (text ? strlen (text) : 0);
   }
}

/* Runs an alert's query for at most QUERY_MS, and calls `row` for each row until it returns
 * false. */
static bool each_row (One *o, const char *sql, bool (*row) (One *o, MtResult *r, MtError *err),
                      MtError *err)
{
   MtSession *s = o->c->s;
   MtResult *r = NULL;
   int64_t limit = s->settings.statement_timeout;
   bool more = true;
   s->settings.statement_timeout = limit && limit < QUERY_MS ? limit : QUERY_MS;
   bool ok = mt_query (s, sql, -1, &r, err);
   while (ok && (ok = mt_result_next (r, &more, err)) && more)
      if (!row (o, r, err))
         break;
   ok = ok && mt_memory_check (err);
   mt_result_free (r);
   s->settings.statement_timeout = limit;
   return ok && !*err->sqlstate;
}

/* Fails if the result lacks a column that identifies the alert's rows: a view that the query reads
 * may have changed. */
static bool has_keys (const One *o, MtResult *r, MtError *err)
{
   for (size_t k = 0; k < o->alert->key_count; k++) {
      size_t i = 0, n = mt_result_columns (r);
      while (i < n && strcmp (mt_result_name (r, i), o->alert->keys[k]) != 0)
         i++;
      if (i == n)
         return mt_error (err, MT_E_STATE, "the query has no column \"%s\" any more",
                          o->alert->keys[k]) ||
                mt_error_hint (err, "Use CREATE OR REPLACE ALERT.");
   }
   return true;
}

static bool keep_row (One *o, MtResult *r, MtError *err)
{
   if (o->after.count == 0 && !has_keys (o, r, err))
      return false;
   add_row (o, r);
   if (o->after.count <= MOST_ROWS && o->bytes <= MOST_BYTES)
      return true;
   mt_error (err, MT_E_LIMIT, "the query of an alert cannot have more than %d rows, or %d MB",
             MOST_ROWS, MOST_BYTES >> 20);
   return mt_error_hint (err, "Group the rows, or select fewer.");
}

/* A callback for each_row. The last column is the value of HAVING: sets o->has_data if it is not
 * NULL. Returns false, to stop, at the first such row. */
static bool is_unknown (One *o, MtResult *r, MtError *err)
{
   (void) err;
   o->has_data = mt_result_text (r, mt_result_columns (r) - 1, NULL) != NULL;
   return !o->has_data;
}

/* Sets *out to the query without HAVING, but with the value of HAVING as an additional last column.
 * NULL: the query has no HAVING. */
static bool without_having (One *o, const char **out, MtError *err)
{
   MtStmt *stmt;
   MtBuf sql = {0};
   *out = NULL;
   if (!mt_parse (o->a, o->alert->sql, strlen (o->alert->sql), &stmt, err))
      return false;
   MtSelect *q = stmt->select;
   if (q->kind != MT_SELECT_PLAIN || !q->plain.having)
      return true;
   MtTarget *last = q->plain.targets, *added = MT_NEW (o->a, MtTarget);
   while (last->next)
      last = last->next;
   added->expr = q->plain.having;
   last->next = added;
   q->plain.having = q->plain.qualify = NULL;
   q->plain.distinct = false;
   q->plain.distinct_on = NULL;
   q->order = NULL;
   q->limit = q->offset = NULL;
   mt_print_select (q, &sql);
   *out = mt_strndup (o->a, sql.p, sql.n);
   mt_buf_free (&sql);
   return true;
}

/* Sets *missing if a query without rows had no data to judge: there is no group, or HAVING is NULL
 * in all groups. */
static bool find_missing (One *o, bool *missing, MtError *err)
{
   const char *sql;
   *missing = false;
   if (!without_having (o, &sql, err) || !sql)
      return !*err->sqlstate;
   if (!hold_lease (o->c) || !each_row (o, sql, is_unknown, err))
      return false;
   *missing = !o->has_data;
   return true;
}

/* ---- notices ---- */

static bool give (One *o, const MtAlertRow *row, const char *state)
{
   MtError err = {0};
   MtAlertNotice n = {.alert = o->alert->name,
                      .state = state,
                      .since_ms = row->since_ms,
                      .cells = row->cells,
                      .count = row->count,
                      .missing = row->missing,
                      .command = o->command};
   if (o->c->stops || !hold_lease (o->c))
      return false;
   return o->c->how->notify (o->c->how->ctx, &n, &err) || report (o->c, o->alert, &err);
}

/* Handles a row that the query returns: `before` is its old state (NULL: it is new). Gives the
 * notice "firing" (or "missing") once the row has lasted long enough. If that fails, the next check
 * tries again. */
static void row_is_there (One *o, MtAlertRow *row, const MtAlertRow *before)
{
   bool known = before && before->since_ms <= o->now_ms; /* otherwise the clock was set back */
   row->since_ms = known ? before->since_ms : o->now_ms;
   row->firing = before && before->firing;
   if (!row->firing && o->now_ms - row->since_ms >= o->alert->lasting_ms)
      row->firing = give (o, row, row->missing ? "missing" : "firing");
}

/* Handles a row that the query does not return any more: gives the notice "ok" if the row was
 * firing. If that fails, keeps the row for the next check. */
static void row_is_gone (One *o, const MtAlertRow *before)
{
   if (before->firing && !give (o, before, "ok"))
      *new_row (o) = *before;
}

/* ---- comparing rows ---- */

typedef struct Keyed {
   const char *key;
   size_t row;
} Keyed;

/* Returns one text made of the values that identify a row, in the arena of the check. */
static const char *key_of (One *o, const MtAlertRow *row)
{
   MtBuf b = {0};
   mt_buf_adds (&b, row->missing ? "missing" : "row");
   for (size_t k = 0; k < o->alert->key_count; k++)
      for (size_t i = 0; i < row->count; i++) {
         const char *text = row->cells[i].text;
         if (strcmp (row->cells[i].name, o->alert->keys[k]) != 0)
            continue;
         mt_buf_printf (&b, " %zd:%s", text ? (ssize_t) strlen (text) : -1, text ? text : "");
      }
   const char *key = mt_strndup (o->a, b.p, b.n);
   mt_buf_free (&b);
   return key;
}

static int by_key (const void *x, const void *y)
{
   const Keyed *a = x, *b = y;
   int order = strcmp (a->key, b->key);
   return order ? order : (a->row > b->row) - (a->row < b->row);
}

static Keyed *sorted_keys (One *o, const MtAlertState *state)
{
   Keyed *list = MT_NEW_N (o->a, Keyed, state->count + 1);
   for (size_t i = 0; i < state->count; i++)
      list[i] = (Keyed) {key_of (o, &state->rows[i]), i};
   if (state->count)
      qsort (list, state->count, sizeof *list, by_key);
   return list;
}

/* Compares the old with the new rows by their keys, gives the notices, and makes o->after the new
 * state. If several rows have the same key, only the first one counts. */
static void compare (One *o)
{
   Keyed *was = sorted_keys (o, &o->before), *is = sorted_keys (o, &o->after);
   size_t i = 0, k = 0, before = o->before.count, after = o->after.count;
   MtAlertState found = o->after;
   o->after = (MtAlertState) {.checked_ms = o->now_ms};
   o->cap = 0;
   while (i < before || k < after) {
      int order = i == before ? 1 : -1;
      if (i < before && k < after)
         order = strcmp (was[i].key, is[k].key);
      if (order < 0) {
         row_is_gone (o, &o->before.rows[was[i++].row]);
         continue;
      }
      MtAlertRow row = found.rows[is[k].row];
      row_is_there (o, &row, order == 0 ? &o->before.rows[was[i++].row] : NULL);
      *new_row (o) = row;
      do
         k++;
      while (k < after && strcmp (is[k].key, is[k - 1].key) == 0);
   }
}

/* Copies the old rows to the new state unchanged. Used while data are missing, because then the
 * state of the rows is unknown. */
static void keep_rows (One *o)
{
   for (size_t i = 0; i < o->before.count; i++)
      if (!o->before.rows[i].missing)
         *new_row (o) = o->before.rows[i];
}

static void compare_missing (One *o)
{
   MtAlertRow row = {.missing = true}, *before = NULL;
   for (size_t i = 0; i < o->before.count; i++)
      if (o->before.rows[i].missing)
         before = &o->before.rows[i];
   o->after = (MtAlertState) {.checked_ms = o->now_ms};
   o->cap = 0;
   keep_rows (o);
   row_is_there (o, &row, before);
   *new_row (o) = row;
}

/* ---- one alert ---- */

static bool read_state (One *o, MtError *err)
{
   MT_BEGIN_CALL (o->c->s, err);
   return mt_alert_state_read (o->c->s, o->a, o->alert->name, &o->before, err) &&
          mt_memory_check (err);
}

static bool save_state (One *o, MtError *err)
{
   MT_BEGIN_CALL (o->c->s, err);
   return mt_alert_state_save (o->c->s, o->a, o->alert->name, &o->after, err) &&
          mt_memory_check (err);
}

/* Returns whether an alert must be checked: once in each period of EVERY. Periods start at
 * multiples of EVERY, so an alert of EVERY '1 min' is due at each minutely check, even if the check
 * comes a moment early. */
static bool is_due (const One *o)
{
   int64_t every = o->alert->every_ms, checked = o->before.checked_ms;
   return !every || !checked || o->now_ms / every != checked / every;
}

static bool run_query (One *o, bool *missing, MtError *err)
{
   *missing = false;
   return (!o->alert->notify || mt_alert_words (o->a, o->alert->notify, &o->command, err)) &&
          each_row (o, o->alert->sql, keep_row, err) &&
          (o->after.count || find_missing (o, missing, err));
}

/* Checks one alert. Returns whether one of its rows is firing. */
static bool check_one (One *o)
{
   MtError err = {0};
   int64_t since;
   bool missing;
   if (!hold_lease (o->c))
      return false;
   if (!read_state (o, &err))
      return report (o->c, o->alert, &err);
   o->after = o->before;
   if (is_due (o)) {
      o->after = (MtAlertState) {0};
      if (!run_query (o, &missing, &err))
         return !o->c->stops && report (o->c, o->alert, &err);
      if (missing)
         compare_missing (o);
      else
         compare (o);
      if (!o->c->stops && (!mt_memory_check (&err) || !save_state (o, &err)))
         return report (o->c, o->alert, &err);
   }
   const char *word = mt_alert_state_word (&o->after, &since);
   return word && (strcmp (word, "firing") == 0 || strcmp (word, "missing") == 0);
}

/* ---- all alerts ---- */

static bool list_alerts (MtSession *s, MtArena *a, MtAlert **list, size_t *count, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   return mt_catalog_refresh (s->catalog, NULL, err) && mt_alert_list (s, a, list, count, err) &&
          mt_memory_check (err);
}

static bool is_named (const MtAlertCheck *how, const char *name)
{
   for (size_t i = 0; i < how->name_count; i++)
      if (mt_ieq (how->names[i], name))
         return true;
   return how->name_count == 0;
}

static bool names_exist (const MtAlertCheck *how, MtArena *a, const MtAlert *list, size_t count,
                         MtError *err)
{
   const char **names = MT_NEW_N (a, const char *, count + 1);
   for (size_t i = 0; i < count; i++)
      names[i] = list[i].name;
   for (size_t i = 0; i < how->name_count; i++) {
      size_t k = 0;
      while (k < count && !mt_ieq (how->names[i], names[k]))
         k++;
      if (k == count)
         return mt_error (err, MT_E_UNDEFINED_OBJECT, "alert \"%s\" does not exist",
                          how->names[i]) ||
                mt_error_near (err, how->names[i], names, count);
   }
   return true;
}

static bool may_check (MtSession *s, MtError *err)
{
   if (s->txn.state != MT_TRANSACTION_NONE)
      return mt_error (err, MT_E_ACTIVE_TRANSACTION, "alerts cannot be checked in a transaction");
   if (!mt_engine_caps (s->engine)->read_only && !s->options.read_only)
      return true;
   mt_error (err, MT_E_READ_ONLY, "cannot check the alerts of a read-only target");
   return mt_error_hint (err, "A check saves in the target what fires.");
}

bool mt_check_alerts (MtSession *s, const MtAlertCheck *how, MtAlertOutcome *out, MtError *err)
{
   MT_RECORD_SHORTAGE (&s->shortage);
   MtArena *a = mt_arena_new ("alerts", NULL);
   Checker c = {.s = s, .how = how, .out = out, .fatal = err};
   MtAlert *list;
   size_t count;
   mt_claim_init (&c.lease, s, LEASE, "check");
   *out = (MtAlertOutcome) {0};
   if (s->settings.lock_timeout == 0)
      mt_engine_set_lock_timeout (s->engine, LOCK_MS);
   bool ok = may_check (s, err) && list_alerts (s, a, &list, &count, err) &&
             names_exist (how, a, list, count, err);
   for (size_t i = 0; ok && i < count && !c.stops; i++) {
      if (!list[i].enabled || !is_named (how, list[i].name))
         continue;
      MtArena *own = mt_arena_new ("alert", NULL);
      One one = {.c = &c, .a = own, .alert = &list[i], .now_ms = mt_wall_ms ()};
      out->firing += check_one (&one);
      mt_arena_free (own);
   }
   release_lease (&c);
   mt_engine_set_lock_timeout (s->engine, s->settings.lock_timeout);
   mt_arena_free (a);
   return ok && !c.stops;
}
