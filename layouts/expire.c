#include "layouts/expire.h"

#include <string.h>

/* ---- the interval ---- */

bool mt_expiry_read (const char *text, MtInterval *out, MtError *err)
{
   MtInterval iv;
   if (!mt_interval_in (text, strlen (text), &iv, err))
      return false;
   bool none = iv.months == 0 && iv.days == 0 && iv.us == 0;
   if (none || iv.months < 0 || iv.days < 0 || iv.us < 0 || iv.us % 1000) {
      mt_error (err, MT_E_PARAMETER, "invalid value for option \"expire_after\": \"%s\"", text);
      return mt_error_hint (err,
                            "It must be a positive interval of whole milliseconds, like 90 days.");
   }
   *out = iv;
   return true;
}

const char *mt_expiry_text (MtArena *a, MtInterval after)
{
   MtBuf text = {0};
   mt_interval_out (after, &text);
   const char *out = mt_strndup (a, text.p, text.n);
   mt_buf_free (&text);
   return out;
}

/* ---- the unit ---- */

/* Sets *most to the coarser of *most and u. False if the boundaries of the coarser unit are not
 * boundaries of the finer one (such as months and weeks). */
static bool widen (MtUnit *most, MtUnit u)
{
   if (mt_unit_within (*most, u))
      *most = u;
   return mt_unit_within (u, *most);
}

/* Sets *most to the coarsest unit of time of partitions, documents and cells (array or map
 * elements) in store s. Sets *timed if the store stores the time. False if two of the units have no
 * common boundaries. */
static bool widen_by_store (const MtTable *t, const MtStoreDesc *s, MtUnit *most, bool *timed)
{
   bool ok = !s->parts || widen (most, s->parts->unit);
   for (size_t i = 0; i < s->node_count; i++) {
      const MtNode *n = s->nodes[i];
      for (size_t k = 0; k < n->bind_count; k++) {
         bool exact = n->binds[k].kind == MT_BIND_COLUMN;
         *timed = *timed || !exact || n->binds[k].column == t->time_column;
         ok = ok && (exact || widen (most, n->binds[k].unit));
      }
      for (size_t k = 0; k < n->raw.count; k++)
         *timed = *timed || n->raw.columns[k] == t->time_column;
   }
   return ok && *most != MT_UNIT_EPOCH;
}

bool mt_expiry_unit (const MtTable *t, MtUnit *out, MtError *err)
{
   *out = MT_UNIT_MS;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t k = 0; k < t->layouts[i].store_count; k++) {
         const MtStoreDesc *s = &t->layouts[i].stores[k];
         bool timed = false;
         if (!widen_by_store (t, s, out, &timed)) {
            mt_error (
               err, MT_E_FEATURE,
               "rows of table \"%s\" can't expire: its layouts' units of time have no common edges",
               t->name);
            return mt_error_hint (err, "Weeks don't end with months and years.");
         }
         if (!timed)
            return mt_error (err, MT_E_FEATURE,
                             "rows of table \"%s\" can't expire: layout \"%s\" keeps no time",
                             t->name, t->layouts[i].name);
      }
   return true;
}

/* ---- the horizon ---- */

int64_t mt_expiry_floor (const MtExpiry *x, int64_t ms)
{
   return x->unit == MT_UNIT_MS ? ms : mt_utc_floor (ms, x->unit);
}

int64_t mt_expiry_own (const MtExpiry *x, int64_t now_ms)
{
   int64_t horizon = MT_NEVER_EXPIRES, at;
   MtError ignored;
   if (x && x->ages) {
      MtInterval back = {-x->after.months, -x->after.days, -x->after.us};
      if (mt_ts_add_interval (now_ms, back, NULL, &at, &ignored))
         horizon = mt_expiry_floor (x, at);
   }
   return x && x->ended && x->before_ms > horizon ? x->before_ms : horizon;
}

static int64_t later (int64_t a, int64_t b) { return a > b ? a : b; }

/* Returns the later of two times: the horizon of the table's own retention, and the earliest
 * horizon of its layouts. A row that has expired in all layouts has expired in the table. */
int64_t mt_expiry_horizon (const MtTable *t, int64_t now_ms)
{
   int64_t first = INT64_MAX;
   for (size_t i = 0; i < t->layout_count; i++) {
      int64_t own = mt_expiry_own (t->layouts[i].expiry, now_ms);
      first = own < first ? own : first;
   }
   return later (mt_expiry_own (t->expiry, now_ms), t->layout_count ? first : MT_NEVER_EXPIRES);
}

int64_t mt_layout_horizon (const MtTable *t, const MtLayout *l, int64_t now_ms)
{
   int64_t table = mt_expires (t) ? mt_expiry_horizon (t, now_ms) : MT_NEVER_EXPIRES;
   return l->expiry ? later (table, mt_expiry_own (l->expiry, now_ms)) : table;
}

int64_t mt_latest_horizon (const MtTable *t, int64_t now_ms)
{
   int64_t last = MT_NEVER_EXPIRES;
   for (size_t i = 0; i < t->layout_count; i++)
      last = later (last, mt_layout_horizon (t, &t->layouts[i], now_ms));
   return last;
}

size_t mt_longest_records (const MtTable *t, int64_t now_ms)
{
   size_t best = t->layout_count;
   int64_t since = MT_NEVER_EXPIRES;
   for (size_t i = 0; i < t->layout_count; i++) {
      int64_t own = mt_layout_horizon (t, &t->layouts[i], now_ms);
      if (t->layouts[i].keeps != MT_KEEPS_RECORDS || (best < t->layout_count && own >= since))
         continue;
      best = i;
      since = own;
   }
   return best;
}

bool mt_expires (const MtTable *t)
{
   bool any = t->expiry;
   for (size_t i = 0; i < t->layout_count && !any; i++)
      any = t->layouts[i].expiry;
   return any;
}

bool mt_leaf_expired (const MtTable *t, const MtLeafWay *way, const MtLeaf *leaf, int64_t horizon)
{
   return way->timed && horizon != MT_NEVER_EXPIRES && leaf->row[t->time_column].type == MT_DATE &&
          leaf->row[t->time_column].i < horizon;
}
