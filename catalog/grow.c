/* Saves tables while other sessions write. A table's document is replaced only if no other session
 * has changed it. Growth of statistics is added to the stored numbers, or for a while only to those
 * in memory. */
#include "catalog/catalog_int.h"

#include "base/bson.h"
#include "base/memory.h"
#include "layouts/descriptor/growth.h"
#include "layouts/descriptor/stored_table.h"

#include <string.h>

bool mt_catalog_changed_meanwhile (const char *table, MtError *err)
{
   mt_error (err, MT_E_SERIALIZATION, "table \"%s\" was changed meanwhile", table);
   return mt_error_hint (err, "Run the statement again.");
}

bool mt_catalog_save_unwritten (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err)
{
   if (!c->stored || before->temporary || !mt_engine_caps (c->e)->adjusts ||
       mt_engine_caps (c->e)->atomic_write || mt_engine_in_txn (c->e))
      return mt_catalog_save (c, t, NULL, err);
   bson_t doc = BSON_INITIALIZER, also = BSON_INITIALIZER, set = BSON_INITIALIZER;
   MtTable next = *t;
   MtEntry *en;
   bool found = false;
   next.version++;
   bool ok = mt_table_to_bson (&next, &doc, err);
   if (ok && doc.len > MT_MAX_DOC_BYTES)
      ok = mt_error (err, MT_E_LIMIT, "description of table \"%s\" is larger than %u bytes",
                     t->name, MT_MAX_DOC_BYTES);
   bson_copy_to_excluding_noinit (&doc, &set, "_id", "writes", NULL);
   mt_doc_add (&also, "version", mt_v_int64 (before->version));
   mt_doc_add (&also, "writes", mt_v_int64 (before->writes));
   ok = ok &&
        mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, mt_v_cstr (t->name),
                          &(MtAdjust) {.also = &also, .set = &set, .within = true, .undone = true},
                          &found, err) &&
        (found || mt_catalog_changed_meanwhile (t->name, err)) && mt_catalog_bump (c, err) &&
        mt_catalog_keep_entry (c, &doc, false, &en, err);
   c->changed |= found;
   bson_destroy (&set);
   bson_destroy (&also);
   bson_destroy (&doc);
   return ok;
}

/* ---- statistics ---- */

/* By how much (one day) time bounds are saved too wide, since the times of new rows will probably
 * exceed them. */
#define SLACK_MS INT64_C (86400000)

static MtEntry *entry_of (MtCatalog *c, const MtTable *t)
{
   for (size_t i = 0; i < c->count; i++)
      if (c->entries[i]->table == t)
         return c->entries[i];
   return NULL;
}

/* Copies the statistics of all stores of a table, as an array by layout and store. */
static MtStoreStats **copy_stats (MtArena *a, const MtTable *t)
{
   MtStoreStats **all = MT_NEW_N (a, MtStoreStats *, t->layout_count + 1);
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      all[i] = MT_NEW_N (a, MtStoreStats, l->store_count + 1);
      if (l->stats)
         memcpy (all[i], l->stats, l->store_count * sizeof *l->stats);
   }
   return all;
}

/* A session may count records in memory only until their number is twice the stored number plus
 * this. With smaller differences, other sessions still make good plans. */
#define UNSAVED_RECORDS 10000.0

/* Returns whether the stored statistics `kept` stay good enough for plans of other sessions after
 * `more` is added to `now`, the statistics in memory: the time bounds and the columns without NULL
 * stay the same, and the number of records nearly does. */
static bool holds (const MtStoreStats *kept, const MtStoreStats *now, const MtStoreStats *more)
{
   if (!kept->present || !kept->nodes || !now->nodes || !more->present ||
       now->records + more->records > 2 * kept->records + UNSAVED_RECORDS)
      return false;
   if (more->has_time &&
       (!kept->has_time || more->min_ms < kept->min_ms || more->max_ms > kept->max_ms))
      return false;
   if (kept->nulls && (!more->nulls || more->null_columns != kept->null_columns))
      return false;
   for (size_t i = 0; kept->nulls && i < kept->null_columns; i++)
      if (more->nulls[i] && !kept->nulls[i])
         return false;
   return true;
}

/* Adds the counts and sizes in `more` to the statistics s of a store, and widens its range of
 * times. */
static void count_on (MtStoreStats *s, const MtStoreDesc *d, const MtStoreStats *more)
{
   s->documents += more->documents;
   s->bytes += more->bytes;
   s->records += more->records;
   s->spans_ms += more->spans_ms;
   for (size_t i = 0; i < d->node_count; i++) {
      s->nodes[i].cells += more->nodes[i].cells;
      s->nodes[i].bytes += more->nodes[i].bytes;
   }
   if (more->has_time) {
      s->min_ms = !s->has_time || more->min_ms < s->min_ms ? more->min_ms : s->min_ms;
      s->max_ms = !s->has_time || more->max_ms > s->max_ms ? more->max_ms : s->max_ms;
      s->has_time = true;
   }
}

/* Returns a copy of the cached table with the statistics as they are stored, without those that
 * mt_catalog_count has added. */
static const MtTable *as_kept (MtArena *a, const MtEntry *en)
{
   MtTable *t = MT_NEW (a, MtTable);
   *t = *en->table;
   t->layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (t->layouts, en->table->layouts, t->layout_count * sizeof *t->layouts);
   for (size_t i = 0; en->kept && i < t->layout_count; i++)
      t->layouts[i].stats = en->kept[i];
   return t;
}

/* Adds `growth` to the stored statistics, and increments the version. If this session has exactly
 * one intent, the same command checks that it is still stored, and stores it again if not. */
static bool grow_telling (MtCatalog *c, MtVal id, const MtAdjust *growth, bool *done, MtError *err)
{
   const bson_t *doc = mt_catalog_own_intent (c);
   if (!doc)
      return mt_catalog_adjust_telling (c, id, growth, done, err);
   bson_t first = BSON_INITIALIZER, beat = BSON_INITIALIZER;
   bool came = false;
   bson_copy_to_excluding_noinit (doc, &first, "_id", MT_BEATS, NULL);
   mt_doc_add (&beat, MT_BEATS, mt_v_int64 (1));
   MtAdjust both = *growth, keep = {.first = &first, .add = &beat, .came = &came};
   both.then_id = mt_doc_field (mt_v_doc (doc), "_id");
   both.then = &keep;
   bool ok = mt_catalog_adjust_telling (c, id, &both, done, err);
   c->intent_stood = (!c->met_intent || c->intent_stood) && !came;
   c->met_intent = ok;
   bson_destroy (&beat);
   bson_destroy (&first);
   return ok;
}

bool mt_catalog_intent_was_met (MtCatalog *c, bool *stood)
{
   bool met = c->met_intent;
   if (met)
      *stood = c->intent_stood;
   c->met_intent = false;
   return met;
}

/* Tries to add the growth g of statistics to the stored document. *done is false if the document
 * has changed since `kept` was read. tell: also increments the version. */
static bool grow_once (MtCatalog *c, MtGrowth *g, const MtTable *kept, bool tell, bool *done,
                       MtError *err)
{
   mt_doc_add (&g->also, "version", mt_v_int64 (kept->version));
   if (kept->made)
      mt_doc_add (&g->also, "made", mt_v_int64 (kept->made));
   mt_doc_add (&g->add, "writes", mt_v_int64 (1));
   MtAdjust adjust = {
      .also = &g->also, .add = &g->add, .lower = &g->lower, .raise = &g->raise, .set = &g->set};
   MtVal id = mt_v_cstr (kept->name);
   return tell ? grow_telling (c, id, &adjust, done, err)
               : mt_engine_adjust (c->e, MT_CATALOG_COLLECTION, id, &adjust, done, err);
}

/* Reads the table's document again, into *out. Fails with 40001 if the table was dropped. */
static bool look_again (MtCatalog *c, MtArena *a, const MtTable *t, const MtTable **out,
                        MtError *err)
{
   bson_t *doc;
   if (!mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION, mt_v_cstr (t->name), &doc, err))
      return false;
   MtEntry *en = doc ? mt_catalog_read_entry (doc) : NULL;
   if (en)
      mt_arena_defer (a, (void (*) (void *)) mt_arena_free, en->arena);
   *out = en ? en->table : NULL;
   return *out || mt_catalog_changed_meanwhile (t->name, err); /* NULL: the table was dropped */
}

/* Puts the table with the grown statistics into the cache, as its document is now stored. */
static bool keep_grown (MtCatalog *c, const MtTable *kept, const MtTable *now, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   MtTable next = *now;
   MtEntry *en;
   next.version = kept->version;
   next.writes = kept->writes + 1;
   bool ok = mt_table_to_bson (&next, &doc, err) &&
             mt_catalog_keep_entry (c, &doc, false, &en, err);
   bson_destroy (&doc);
   return ok;
}

/* Adds the growth of statistics between `before` and `now` to the stored document. Tries again if
 * another session has changed it. tell: also increments the version. */
static bool grow (MtCatalog *c, MtArena *a, const MtTable *before, const MtTable *now, bool tell,
                  MtError *err)
{
   enum { MOST_TRIES = 20 };
   const MtTable *kept = before;
   bool done = false, ok = true;
   for (int tries = 0; ok && !done; tries++) {
      MtGrowth g;
      if (tries && !look_again (c, a, before, &kept, err))
         return false;
      ok = mt_table_growth (a, kept, before, now, &g);
      if (!ok && !tries) {
         mt_growth_free (&g);
         return !tell || mt_catalog_save_unwritten (c, kept, now, err);
      }
      ok = ok && tries < MOST_TRIES && kept->made == before->made
              ? grow_once (c, &g, kept, tell, &done, err)
              : mt_catalog_changed_meanwhile (now->name, err);
      mt_growth_free (&g);
   }
   if (!ok)
      return false;
   if (kept == before)
      return keep_grown (c, kept, now, err);
   c->loaded = false;
   return true;
}

bool mt_catalog_grow (MtCatalog *c, const MtTable *before, const MtTable *now, MtError *err)
{
   MtEntry *en = entry_of (c, before);
   if (en && !en->temporary && mt_catalog_counts_apart (c) &&
       (en->counted || mt_catalog_lost_counts (en)))
      return !en->counted || mt_catalog_write_counts (c, en, now, err);
   if (!c->stored || before->temporary || !mt_engine_caps (c->e)->adjusts ||
       mt_engine_in_txn (c->e))
      return mt_catalog_save (c, now, NULL, err);
   MtArena *a = mt_arena_new ("catalog growth", NULL);
   bool changed = c->changed,
        ok = grow (c, a, en && en->kept ? as_kept (a, en) : before, now, true, err);
   c->changed = changed; /* other sessions do not rely on grown statistics */
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_count (MtCatalog *c, const MtTable *t, MtStoreStats *const *written)
{
   MtEntry *en = entry_of (c, t);
   if (!en || !c->stored || en->temporary)
      return false;
   MtStoreStats **kept = en->kept ? en->kept : copy_stats (en->arena, t);
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         if (!mt_is_uncounted (&t->layouts[i]) &&
             (!t->layouts[i].stats ||
              !holds (&kept[i][j], &t->layouts[i].stats[j], &written[i][j])))
            return false;
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count && !mt_is_uncounted (&t->layouts[i]); j++)
         count_on (&en->table->layouts[i].stats[j], &t->layouts[i].stores[j], &written[i][j]);
   en->kept = kept;
   return true;
}

bool mt_catalog_save_ahead (MtCatalog *c, const MtTable *before, const MtTable *t, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog ahead", NULL);
   MtTable wide = *t;
   wide.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (wide.layouts, t->layouts, t->layout_count * sizeof *wide.layouts);
   MtStoreStats **stats = copy_stats (a, t);
   for (size_t i = 0; i < t->layout_count; i++) {
      if (wide.layouts[i].stats)
         wide.layouts[i].stats = stats[i];
      for (size_t j = 0; j < wide.layouts[i].store_count; j++)
         if (stats[i][j].has_time) {
            stats[i][j].min_ms -= SLACK_MS;
            stats[i][j].max_ms += SLACK_MS;
         }
   }
   /* This session uses the wide bounds, too, because other sessions add rows within them without
    * saving. */
   bool ok = mt_catalog_grow (c, before, &wide, err);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_save_counts (MtCatalog *c, MtError *err)
{
   bool ok = true;
   MtArena *a = mt_arena_new ("catalog counts", NULL);
   for (size_t i = 0; ok && i < c->count; i++)
      if (c->entries[i]->kept)
         ok = grow (c, a, as_kept (a, c->entries[i]), c->entries[i]->table, false, err);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_flush (MtCatalog *c, MtError *err)
{
   int64_t version;
   bool any = false, ok = true;
   for (size_t i = 0; i < c->count; i++)
      any |= c->entries[i]->kept != NULL;
   if (!any || !c->loaded || mt_engine_in_txn (c->e))
      return true;
   if (mt_engine_caps (c->e)->adjusts)
      return mt_catalog_save_counts (c, err);
   if (!mt_engine_begin (c->e, err))
      return false;
   ok = mt_catalog_read_version (c, &version, err);
   c->statement++;
   for (size_t i = 0; ok && version == c->version && i < c->count; i++)
      /* Statistics that others saved meanwhile replace the counts. */
      if (c->entries[i]->kept && mt_catalog_read_counts (c, c->entries[i], err) &&
          c->entries[i]->kept)
         ok = mt_catalog_grow (c, c->entries[i]->table, c->entries[i]->table, err);
   ok = ok && mt_engine_commit (c->e, err);
   if (!ok)
      mt_engine_rollback (c->e);
   return ok;
}
