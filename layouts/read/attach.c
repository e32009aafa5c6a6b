#include "layouts/read/attach.h"

#include "base/bson.h"
#include "layouts/collections/partition.h"
#include "layouts/read/walk.h"
#include "layouts/stats.h"

#include <string.h>

/* The check of a collection skips so many documents without records. Documents of a new series are
 * empty at first. */
#define MOST_EMPTY 100

/* The arguments of functions that scan the documents of a layout. */
typedef struct Scan {
   MtEngine *e;
   const MtTable *t;
   const MtLayout *l;
   MtArena *a;
   MtError *err;
} Scan;

/* Opens a cursor over the first `limit` documents of a collection; 0: over all. */
static bool open_scan (const Scan *x, const char *collection, int64_t limit, MtCursor **out)
{
   MtBson b = {0};
   bson_t pipeline;
   mt_bson_start (&b);
   if (limit) {
      size_t stage = mt_bson_doc_at (&b, 0);
      mt_bson_put (&b, "$limit", mt_v_int64 (limit));
      mt_bson_end (&b, stage);
   }
   bool ok = mt_bson_finish (&b, &pipeline) &&
             mt_engine_aggregate (
                x->e, &(MtAggregateArgs) {.collection = collection, .pipeline = &pipeline}, out,
                x->err);
   mt_bson_free (&b);
   return ok;
}

/* ---- checks ---- */

bool mt_document_fits (MtArena *a, const MtTableStore *of, MtVal doc, MtError *err)
{
   MtWalk w;
   mt_walk_init (&w, a, of, err);
   w.whole = of->l->presums != MT_PRESUMS_IGNORE;
   return mt_walk_document (&w, doc);
}

/* Checks documents up to the first with a record or a preallocated cell (array or map element).
 * *fits is set to false if a document does not have the layout's shape, or if no field of the
 * descriptor is in it; w->err has the reason. Returns false if reading failed. */
static bool first_fit (MtWalk *w, MtCursor *c, const bson_t *doc, bool *fits, MtError *err)
{
   MtVal first = mt_v_copy (w->a, mt_doc_field (mt_v_doc (doc), "_id"));
   while (doc && !w->found.leaves && !w->found.ahead) {
      w->found.present = 0;
      *fits = mt_walk_document (w, mt_v_doc (doc)) &&
              (w->found.present ||
               mt_walk_misfit (w, NULL, "", "none of the descriptor's fields is there"));
      if (!*fits)
         return true;
      if (!mt_cursor_next (c, &doc, err))
         return false;
   }
   w->id = first;
   *fits = w->found.leaves || w->found.ahead ||
           mt_walk_misfit (w, NULL, "", "there is no record in it");
   return true;
}

/* Checks that all times found so far are within the time of partition p. NULL: the store has no
 * partitions, so all times are allowed. */
static bool lies_within (MtWalk *w, const MtPartition *p)
{
   return !p || !w->found.any_time ||
          (p->start_ms <= w->found.min_time && w->found.max_time < p->end_ms) ||
          mt_walk_misfit (w, NULL, "", "its time isn't that of the collection's name");
}

static bool check_first (const Scan *x, const MtStoreDesc *s, const MtPartition *part)
{
   bool has, fits = true;
   MtCursor *c;
   const bson_t *doc = NULL;
   if (!mt_engine_has_collection (x->e, s->collection, &has, x->err))
      return false;
   if (!has)
      return true;
   if (!open_scan (x, s->collection, MOST_EMPTY, &c))
      return false;
   MtArena *each = mt_arena_new ("sample", x->a);
   bool ok = mt_cursor_next (c, &doc, x->err);
   if (ok && doc) {
      MtWalk w;
      mt_walk_init (&w, each, &(MtTableStore) {x->t, x->l, s}, x->err);
      ok = first_fit (&w, c, doc, &fits, x->err);
      fits = fits && lies_within (&w, part);
      if (ok && !fits)
         memcpy (x->err->sqlstate, MT_E_INVALID_DEFINITION, sizeof x->err->sqlstate);
   }
   mt_arena_free (each);
   mt_cursor_free (c);
   return ok && fits;
}

bool mt_layout_check_first (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                            MtError *err)
{
   Scan x = {e, t, l, a, err};
   for (size_t i = 0; i < l->store_count; i++) {
      const MtStoreDesc *s = &l->stores[i];
      size_t n;
      const char *const *names = mt_store_collections_of (a, s, &n);
      for (size_t k = 0; k < n; k++) {
         MtStoreDesc alone = mt_store_alone (s, names[k]);
         if (!check_first (&x, &alone, s->parts ? &s->parts->list[k] : NULL))
            return false;
      }
   }
   return true;
}

static bool check_each (const Scan *x, MtCursor *c, const MtStoreDesc *s, const MtPartition *part)
{
   const bson_t *doc;
   bool ok;
   MtArena *each = mt_arena_new ("partition", x->a);
   while ((ok = mt_cursor_next (c, &doc, x->err)) && doc) {
      MtWalk w;
      mt_walk_init (&w, each, &(MtTableStore) {x->t, x->l, s}, x->err);
      w.whole = x->l->presums != MT_PRESUMS_IGNORE;
      if (!mt_walk_document (&w, mt_v_doc (doc)) || !lies_within (&w, part)) {
         ok = false;
         break;
      }
      mt_arena_reset (each);
   }
   mt_arena_free (each);
   return ok;
}

bool mt_layout_check_partitions (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                                 MtError *err)
{
   Scan x = {e, t, l, a, err};
   bool ok = true;
   for (size_t i = 0; i < l->store_count && ok; i++) {
      const MtStoreDesc *s = &l->stores[i];
      for (size_t k = 0; s->parts && k < s->parts->count && ok; k++) {
         MtStoreDesc alone = mt_store_alone (s, s->parts->list[k].collection);
         MtCursor *c;
         if (!open_scan (&x, alone.collection, 0, &c))
            return false;
         ok = check_each (&x, c, &alone, &s->parts->list[k]);
         mt_cursor_free (c);
      }
   }
   return ok;
}

/* ---- ANALYZE ---- */

/* Computes statistics in *st from a walk over `read` documents. If the collection has more
 * documents (`all`), the counts and sizes are scaled up. */
static void fill_stats (MtStoreStats *st, const MtStoreDesc *s, const MtWalk *w, double read,
                        const MtCollStats *all)
{
   double factor = read > 0 && (double) all->documents > read ? (double) all->documents / read : 1;
   *st = (MtStoreStats) {.present = true,
                         .documents = read * factor,
                         .bytes = all->bytes ? (double) all->bytes : 0,
                         .records = w->found.records * factor,
                         .spans_ms = s->root->range.present ? w->found.spans_ms * factor : 0,
                         .has_time = w->found.any_time && factor == 1,
                         .min_ms = w->found.min_time,
                         .max_ms = w->found.max_time,
                         .nodes = w->found.nodes};
   for (size_t i = 0; i < s->node_count; i++) {
      st->nodes[i].cells *= factor;
      st->nodes[i].bytes = st->nodes[i].bytes > 0 ? st->nodes[i].bytes * factor : 0;
   }
}

static bool analyze_collection (const Scan *x, const MtStoreDesc *s, MtStoreStats *st,
                                uint64_t *malformed)
{
   MtCollStats all = {0};
   MtCursor *c;
   const bson_t *doc;
   if (!mt_engine_stats (x->e, s->collection, &all, x->err) || !open_scan (x, s->collection, 0, &c))
      return false;
   MtArena *each = mt_arena_new ("analyze", x->a);
   MtWalk w;
   MtError lost;
   mt_walk_init (&w, x->a, &(MtTableStore) {x->t, x->l, s}, &lost);
   w.found.nodes = MT_NEW_N (x->a, MtNodeStats, s->node_count);
   w.a = each;
   double read = 0;
   bool ok;
   while ((ok = mt_cursor_next (c, &doc, x->err)) && doc) {
      if (mt_walk_document (&w, mt_v_doc (doc)))
         read++;
      else
         ++*malformed;
      mt_arena_reset (each);
   }
   mt_cursor_free (c);
   mt_arena_free (each);
   if (ok)
      fill_stats (st, s, &w, read, &all);
   return ok;
}

static bool analyze_store (const Scan *x, const MtStoreDesc *s, MtStoreStats *st,
                           uint64_t *malformed)
{
   size_t n;
   const char *const *names = mt_store_collections_of (x->a, s, &n);
   bool timed = true;
   for (size_t i = 0; i < n; i++) {
      MtStoreDesc alone = mt_store_alone (s, names[i]);
      MtStoreStats one = {0};
      if (!analyze_collection (x, &alone, &one, malformed))
         return false;
      timed = timed && (one.has_time || one.documents == 0);
      mt_stats_add (x->a, s, st, &one);
   }
   st->has_time = st->has_time && timed;
   if (!st->present)
      *st = (MtStoreStats) {.present = true, .nodes = MT_NEW_N (x->a, MtNodeStats, s->node_count)};
   return true;
}

bool mt_layout_analyze (MtEngine *e, const MtTable *t, const MtLayout *l, MtArena *a,
                        MtLayoutStats *out, MtError *err)
{
   Scan x = {e, t, l, a, err};
   *out = (MtLayoutStats) {.stores = MT_NEW_N (a, MtStoreStats, l->store_count)};
   for (size_t i = 0; i < l->store_count; i++)
      if (!analyze_store (&x, &l->stores[i], &out->stores[i], &out->malformed))
         return false;
   return true;
}
