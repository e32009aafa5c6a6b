/* Writes all documents of a store again. They are made from leaves (the records or finest sums) of
 * another layout, or of the store itself. */
#include "session/coordinate/coordinate.h"
#include "session/core/objects.h"
#include "session/ddl/ddl.h"
#include "session/dml/dml.h"
#include "session/ddl/expire.h"
#include "layouts/collections/partition.h"
#include "layouts/read/patch.h"
#include "layouts/stored.h"
#include "layouts/stats.h"
#include "layouts/read/decode.h"
#include "engine/pipe.h"
#include "session/core/core.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

MtTable mt_table_to_change (MtArena *a, const MtTable *t)
{
   MtTable copy = *t;
   copy.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (copy.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   for (size_t i = 0; i < t->layout_count; i++) {
      MtLayout *l = &copy.layouts[i];
      const MtLayout *old = &t->layouts[i];
      l->stores = MT_NEW_N (a, MtStoreDesc, l->store_count + 1);
      memcpy (l->stores, old->stores, l->store_count * sizeof *l->stores);
      l->stats = MT_NEW_N (a, MtStoreStats, l->store_count + 1);
      if (old->stats)
         memcpy (l->stats, old->stats, l->store_count * sizeof *l->stats);
   }
   return copy;
}

/* ---- leaves ---- */

typedef struct Feed {
   const MtTable *t; /* the table whose layout reads the leaves */
   const MtLeafWay *from;
   MtWriter *writer;
   bool leaves;
   /* leaves before `horizon` have expired; leaves from `until` on come from another store */
   int64_t horizon, until;
} Feed;

static bool feed_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   MtLeaves leaves;
   if (!mt_decode_leaves (a, f->t, f->from, mt_v_doc (doc), &leaves, err))
      return false;
   for (size_t i = 0; i < leaves.count; i++) {
      const MtLeaf *leaf = &leaves.list[i];
      if (mt_leaf_expired (f->t, f->from, leaf, f->horizon) ||
          (f->until < INT64_MAX && !mt_leaf_expired (f->t, f->from, leaf, f->until)))
         continue;
      if (f->leaves ? !mt_writer_add_leaf (f->writer, leaf, err)
                    : !mt_writer_add (f->writer, leaf->row, err))
         return false;
   }
   return true;
}

/* ---- one store ---- */

typedef struct Rebuild {
   MtStatement *st;
   const MtTable *t; /* the table before the change */
   const MtLeafWay *from;
   /* leaves of the store itself, from which times are computed that have expired in the other
    * layout; NULL: not needed */
   const MtLeafWay *own;
   const char *what;
   MtTable alone; /* a copy of the table that has only the new store */
   MtLayout layout;
   MtStoreStats none;
} Rebuild;

/* Sets r->alone to a copy of the table `next` that has only one layout with only one store. */
static void single_out (Rebuild *r, const MtTable *next, size_t layout, size_t store)
{
   r->alone = *next;
   r->layout = next->layouts[layout];
   r->layout.stores = &next->layouts[layout].stores[store];
   r->layout.stats = &r->none;
   r->layout.store_count = 1;
   r->alone.layouts = &r->layout;
   r->alone.layout_count = 1;
}

/* Opens a writer f->writer of the store r->alone, for leaves that `from` reads. */
static bool open_feed (Rebuild *r, const MtLeafWay *from, Feed *f, MtError *err)
{
   MtSession *s = r->st->session;
   int64_t now = r->st->env.style.now_ms, a = mt_layout_horizon (r->t, from->l, now),
           b = mt_layout_horizon (r->t, &r->layout, now);
   *f = (Feed) {.t = r->t,
                .from = from,
                .leaves = !from->records,
                .horizon = a > b ? a : b,
                .until = INT64_MAX};
   MtWriterOptions o = {.cancel = &s->cancel,
                        .progress = &s->progress,
                        .leaves = f->leaves,
                        .made = mt_partition_made,
                        .made_ctx = r->st};
   return mt_writer_open (s->engine, &r->alone, &o, &f->writer, err);
}

static bool finish_feed (Rebuild *r, Feed *f, MtStoreStats *stats, MtError *err)
{
   MtStoreStats **written,
      *read = f->leaves && f->from->l->stats ? &f->from->l->stats[f->from->store] : NULL;
   if (!mt_writer_finish (f->writer, r->st->arena, &written, err))
      return false;
   MtStoreStats more = written[0][0];
   if (read && read->nulls) { /* leaves have no NULLs, so the known NULLs stay known */
      more.nulls = read->nulls;
      more.null_columns = read->null_columns;
   }
   if (!r->own)
      *stats = more;
   else
      mt_stats_add (r->st->arena, r->layout.stores, stats, &more);
   return true;
}

/* Writes the store's new documents, and sets *stats. empty: removes its old documents, but only
 * after everything is read, because they may be the source. A store with a document for each row is
 * never the source, so it is emptied first. */
static bool fill_store (Rebuild *r, bool empty, MtStoreStats *stats, MtError *err)
{
   MtStatement *st = r->st;
   Feed f = {.writer = NULL}, past = {.writer = NULL};
   MtStoreStats made = {0};
   bool rows = mt_store_is_rows (r->layout.stores),
        ok = !(empty && rows) || mt_empty_layout (st, &r->alone, &r->layout, true, err);
   ok = ok && open_feed (r, r->from, &f, err) && (!r->own || open_feed (r, r->own, &past, err));
   past.until = f.horizon;
   MtDocumentVisit own = {r->what, feed_document, &past}, from = {r->what, feed_document, &f};
   ok = ok && (!r->own || mt_each_of_store (st, r->own->s, &own, err)) &&
        mt_each_of_store (st, r->from->s, &from, err);
   ok = ok && (!empty || rows || mt_empty_layout (st, &r->alone, &r->layout, true, err));
   ok = ok && (!r->own || finish_feed (r, &past, &made, err)) && finish_feed (r, &f, &made, err);
   if (ok)
      *stats = made;
   if (f.writer)
      mt_writer_close (f.writer);
   if (past.writer)
      mt_writer_close (past.writer);
   return ok;
}

/* Returns a collection's name without the suffix _v2, _v3 … that mt_fresh_name adds. */
static const char *base_name (MtArena *a, const char *collection)
{
   size_t n = strlen (collection);
   while (n && isdigit ((unsigned char) collection[n - 1]))
      n--;
   return n > 2 && collection[n] && !strncmp (collection + n - 2, "_v", 2)
             ? mt_strndup (a, collection, n - 2)
             : collection;
}

static bool is_taken (MtStatement *st, const MtStoreDesc *s, bool *taken, MtError *err)
{
   MtLayout l = {.stores = (MtStoreDesc *) s, .store_count = 1};
   MtTable alone = {.layouts = &l, .layout_count = 1};
   const MtTable *look = &alone;
   if (!mt_engine_has_collection (st->session->engine, s->collection, taken, err) ||
       !mt_partitions_look (st->session->engine, &look, 1, err))
      return false;
   *taken = *taken || (s->parts && s->parts->count);
   return true;
}

bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err)
{
   const char *base = base_name (st->arena, s->collection);
   bool has = true;
   if (s->parts) {
      MtPartitions *none = MT_NEW (st->arena, MtPartitions);
      *none = (MtPartitions) {.unit = s->parts->unit, .arena = st->arena};
      s->parts = none;
   }
   for (int i = 2; has; i++) {
      s->collection = mt_printf (st->arena, "%s_v%d", base, i);
      if (!is_taken (st, s, &has, err))
         return false;
   }
   return true;
}

static bool fresh_names (MtStatement *st, const MtTable *t, MtTable *next, MtError *err)
{
   *next = mt_table_to_change (st->arena, t);
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count && !t->layouts[i].attached; j++)
         if (!mt_fresh_name (st, &next->layouts[i].stores[j], err))
            return false;
   return true;
}

/* Fails if another client wrote to the table, or announced a change of the same collections, since
 * the catalog was read. Reads *t again. Both clients announce before they check, so at least one of
 * them sees the other before data is lost. */
static bool check_others (MtStatement *st, const MtTable **t, MtError *err)
{
   const MtTable *before = *t;
   const char *name = mt_strdup (st->arena, before->name);
   return mt_not_written_meanwhile (st, before, err) &&
          mt_catalog_find_among (st->session->catalog, MT_PERMANENT_TABLES, name, true, t, err);
}

bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what,
                      MtError *err)
{
   MtTable free_names;
   const MtTable *from = *t;
   size_t n = 0, stores = 0;
   if (!mt_intents_apply (st->session) || from->temporary)
      return true;
   if (!next && !fresh_names (st, from, &free_names, err))
      return false;
   next = next ? next : &free_names;
   for (size_t i = 0; i < from->layout_count; i++)
      stores += from->layouts[i].store_count;
   const char **names = MT_NEW_N (st->arena, const char *, 2 * stores + 1);
   for (size_t i = 0; i < from->layout_count; i++)
      for (size_t j = 0; j < from->layouts[i].store_count; j++) {
         const MtStoreDesc *old = &from->layouts[i].stores[j], *made = &next->layouts[i].stores[j];
         if (!strcmp (old->collection, made->collection))
            continue;
         names[n++] = mt_intended_name (st->arena, old);
         names[n++] = mt_intended_name (st->arena, made);
      }
   return mt_intend (st, from, what, names, n, err) && check_others (st, t, err);
}

static bool check_follows (const MtLeafWay *from, const MtTable *next, size_t layout, size_t store,
                           MtArena *a, MtError *err)
{
   MtLayout one = next->layouts[layout];
   const char *why = "";
   one.stores += store;
   one.store_count = 1;
   if (mt_leaf_gives (a, next, from, &one, &why))
      return true;
   mt_error (err, MT_E_FEATURE, "layout \"%s\" cannot be computed from layout \"%s\"", one.name,
             from->l->name);
   return mt_error_detail (err, "In %s %s.", from->s->collection, why);
}

/* Finds a kind of leaf in the store itself from which the whole store can be computed, and one of
 * whose intervals ends exactly at the time `kept`; NULL: there is none. */
static MtLeafWay *own_leaf (MtStatement *st, const MtTable *t, size_t layout, size_t store,
                            int64_t kept)
{
   size_t count;
   const char *why;
   MtLayout one = t->layouts[layout];
   MtLeafWay *ways = mt_leaf_ways (st->arena, t, &count);
   one.stores += store;
   one.store_count = 1;
   for (size_t i = 0; i < count; i++)
      if (ways[i].layout == layout && ways[i].store == store && ways[i].timed &&
          mt_utc_floor (kept, ways[i].grain) == kept &&
          mt_leaf_gives (st->arena, t, &ways[i], &one, &why))
         return &ways[i];
   return NULL;
}

/* For a layout that keeps rows longer than the source `from`: sets *own to the leaves of the layout
 * itself from which its older documents are computed. *own NULL: not needed. Fails with 0A000 if
 * the layout has no such leaves. */
static bool keep_past (MtStatement *st, const MtTable *t, const MtLeafWay *from,
                       const MtStorePlace *place, MtLeafWay **own, MtError *err)
{
   bool in_place = mt_engine_caps (st->session->engine)->savepoints;
   size_t layout = place->layout, store = place->store;
   const MtLayout *to = &t->layouts[layout];
   int64_t now = st->env.style.now_ms, kept = mt_layout_horizon (t, from->l, now);
   *own = NULL;
   if (kept <= mt_layout_horizon (t, to, now))
      return true;
   if (to->keeps != MT_KEEPS_ROLLUP && (!in_place || !mt_store_is_rows (&to->stores[store])))
      *own = own_leaf (st, t, layout, store, kept);
   if (*own)
      return true;
   MtBuf time = {0};
   mt_timestamptz_out (kept, st->env.style.zone, &time);
   mt_error (err, MT_E_FEATURE,
             "layout \"%s\" cannot be made again: it keeps rows that have expired in layout \"%s\"",
             to->name, from->l->name);
   mt_error_detail (err, "In layout \"%s\" rows before %s have expired.", from->l->name, time.p);
   mt_buf_free (&time);
   return mt_error_hint (err, "Name another source with REPAIR LAYOUT ... FROM.");
}

static bool may_rebuild (const MtLeafWay *from, const MtTable *next, size_t layout, size_t store,
                         MtArena *a, MtError *err)
{
   const MtLayout *l = &next->layouts[layout];
   if (!l->attached)
      return check_follows (from, next, layout, store, a, err);
   mt_error (err, MT_E_FEATURE, "writing attached documents again is not supported");
   return mt_error_hint (
      err,
      "Layout \"%s\" is attached to collection \"%s\": fields that it does not describe would be "
      "lost.",
      l->name, l->stores[store].collection);
}

bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err)
{
   size_t n;
   const char *const *names = mt_store_collections_of (st->arena, s, &n);
   for (size_t i = 0; i < n; i++)
      if (!mt_engine_drop_collection (st->session->engine, names[i], err))
         return false;
   return true;
}

bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next,
                       const MtStorePlace *place, MtError *err)
{
   size_t layout = place->layout, store = place->store;
   MtEngine *e = st->session->engine;
   MtTable *before = MT_NEW (st->arena, MtTable);
   MtStoreDesc *s = &next->layouts[layout].stores[store];
   MtStoreDesc *old = MT_NEW (st->arena, MtStoreDesc);
   MtLeafWay *own;
   *old = *s;
   bool in_place = mt_engine_caps (e)->savepoints; /* other clients see nothing before the commit */
   *before = *next;
   before->layouts = MT_NEW_N (st->arena, MtLayout, next->layout_count + 1);
   memcpy (before->layouts, next->layouts, next->layout_count * sizeof *before->layouts);
   if (!may_rebuild (from, next, layout, store, st->arena, err) ||
       !keep_past (st, next, from, place, &own, err))
      return false;
   if (own)
      own->s = old;
   if (!in_place && !mt_fresh_name (st, s, err))
      return false;
   Rebuild r = {.st = st, .t = before, .from = from, .own = own, .what = place->what};
   single_out (&r, next, layout, store);
   return fill_store (&r, in_place, &next->layouts[layout].stats[store], err) &&
          (in_place || mt_drop_store (st, old, err));
}

bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                      const char *what, MtError *err)
{
   Rebuild r = {.st = st, .t = next, .from = from, .what = what};
   MtLayout *l = &next->layouts[layout];
   MtStoreStats more = {0};
   single_out (&r, next, layout, 0);
   if (!check_follows (from, next, layout, 0, st->arena, err) ||
       !fill_store (&r, false, &more, err))
      return false;
   mt_stats_add (st->arena, l->stores, l->stats, &more);
   return true;
}

/* Like mt_rebuild_store, for all stores of a new layout, which have no documents yet. */
static bool fill_from_leaves (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout,
                              const char *what, MtError *err)
{
   MtLayout *l = &next->layouts[layout];
   l->stats = MT_NEW_N (st->arena, MtStoreStats, l->store_count + 1);
   for (size_t i = 0; i < l->store_count; i++) {
      Rebuild r = {.st = st, .t = next, .from = from, .what = what};
      if (!may_rebuild (from, next, layout, i, st->arena, err))
         return false;
      single_out (&r, next, layout, i);
      if (!fill_store (&r, false, &l->stats[i], err))
         return false;
   }
   return true;
}

/* ---- a new layout ---- */

/* Returns the size of a store in bytes; HUGE_VAL if the engine does not report it. */
static double store_bytes (MtStatement *st, const MtStoreDesc *s)
{
   size_t n;
   const char *const *names = mt_store_collections_of (st->arena, s, &n);
   double bytes = 0;
   for (size_t i = 0; i < n; i++) {
      MtCollStats stats;
      MtError lost;
      bytes += mt_engine_stats (st->session->engine, names[i], &stats, &lost) ? (double) stats.bytes
                                                                              : HUGE_VAL;
   }
   return bytes;
}

/* Sets the error that no layout has the data to fill the new layout, and returns false. nearest,
 * why: the layout that comes closest, and the data that it lacks. */
static bool nothing_gives (const MtTable *to, size_t layout, const MtLeafWay *nearest,
                           const char *why, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "layout \"%s\" cannot be computed from the data of table \"%s\"",
             to->layouts[layout].name, to->name);
   if (nearest)
      mt_error_detail (err, "Of layout \"%s\", in collection \"%s\", %s.", nearest->l->name,
                       nearest->s->collection, why);
   return mt_error_hint (err, "Create a table with this layout, and load the records there.");
}

/* Returns the time from which all cells (time intervals with one sum) of a layout are complete, if
 * rows before kept_ms are missing. The cell that contains kept_ms lacks some of its rows, so the
 * next cell is the first. */
static int64_t whole_cells_from (MtArena *a, const MtTable *t, size_t layout, int64_t kept_ms)
{
   size_t count;
   const MtLeafWay *ways = mt_leaf_ways (a, t, &count),
                   *leaf = mt_leaf_trusted (t, ways, count, (int) layout);
   int64_t first = kept_ms, last = kept_ms;
   if (kept_ms == MT_NEVER_EXPIRES || !leaf || leaf->records || !leaf->timed ||
       leaf->grain == MT_UNIT_MS || mt_utc_floor (kept_ms, leaf->grain) == kept_ms)
      return kept_ms;
   mt_document_span (leaf->grain, &first, &last);
   return last + 1;
}

bool mt_fill_new_layout (MtStatement *st, MtTable *to, size_t layout, MtError *err)
{
   MtArena *a = st->arena;
   MtTable others = *to;
   size_t count;
   const char *why = "", *reason = "";
   others.layout_count--;
   const MtLeafWay *ways = mt_leaf_ways (a, &others, &count), *best = NULL,
                   *right = mt_leaf_trusted (&others, ways, count, -1);
   double least = 0;
   int64_t kept = MT_NEVER_EXPIRES;
   for (size_t i = 0; i < count; i++) {
      const MtLeafWay *w = &ways[i];
      bool gives = w->l->clean && !w->s->suspect && w->l->keeps != MT_KEEPS_LATEST &&
                   w->l->keeps != MT_KEEPS_ROLLUP &&
                   (w->records == (w->l->keeps == MT_KEEPS_RECORDS)) &&
                   mt_leaf_gives (a, to, w, &to->layouts[layout], &why);
      double bytes = gives ? store_bytes (st, w->s) : 0;
      int64_t since = mt_layout_horizon (&others, w->l, st->env.style.now_ms);
      if (w == right)
         reason = why;
      if (gives && (!best || since < kept || (since == kept && bytes < least))) {
         best = w;
         least = bytes;
         kept = since;
      }
   }
   /* the new layout has no rows for the times that the source no longer has */
   mt_expiry_ended (st, &to->layouts[layout], whole_cells_from (a, to, layout, kept));
   const MtExpiry since_kept = {.ended = true, .before_ms = kept};
   if (kept != MT_NEVER_EXPIRES)
      others.expiry = &since_kept;
   if (!best || to->layouts[layout].keeps == MT_KEEPS_LATEST)
      return best ? mt_fill_layout (st, &others, to, layout, err)
                  : nothing_gives (to, layout, right, reason, err);
   return fill_from_leaves (
      st, best, to, layout,
      mt_printf (a, "filling %s from %s", to->layouts[layout].name, best->l->name), err);
}
