/* Finds the buckets that a statement changes in continuous views. If a view reads another view, a
 * row's time gives the bucket of the inner view, and the start of this bucket gives the bucket of
 * the outer view. */
#include "session/continuous/continuous.h"

#include "session/coordinate/coordinate.h"

#include <string.h>

enum {
   MOST_RANGES = 64, /* of a statement, and marks of a view in process; more are joined to fewer */
   MOST_AHEAD = 8    /* saves of a statement on a server; then all its buckets are marked */
};

typedef struct Dependent {
   MtContinuous v;
   int through;  /* index of the view that it reads; -1: it reads the table itself */
   bool is_read; /* another view in the list reads it */
   MtRange last; /* the bucket of the row that was added last */
   MtRangeSet ranges;
} Dependent;

struct MtTouch {
   MtSession *s;
   MtArena *a;
   Dependent *list;
   size_t count;
   bool server; /* other clients see each written document before the statement ends */
   bool unsaved;
   int saves;
};

/* ---- finding the views that read a table ---- */

/* Adds those views of `all` that read the table or view `name` to x->list. through: the index of
 * view `name` in x->list; -1: it is the table. Returns whether any were added. */
static bool add_readers (MtTouch *x, const MtContinuous *all, size_t n, const char *name,
                         int through)
{
   size_t before = x->count;
   for (size_t i = 0; i < n; i++)
      if (strcmp (all[i].source, name) == 0)
         x->list[x->count++] = (Dependent) {
            .v = all[i], .through = through, .last = {MT_TIME_MAX, MT_TIME_MIN}};
   return x->count > before;
}

bool mt_touch_open (MtStatement *st, const MtTable *t, MtTouch **out, MtError *err)
{
   MtSession *s = st->session;
   MtContinuous *all;
   size_t n;
   *out = NULL;
   if (st->refreshes || t->temporary || !mt_has_continuous (s))
      return true;
   if (!mt_continuous_list (s, st->arena, &all, &n, err))
      return false;
   MtTouch *x = MT_NEW (st->arena, MtTouch);
   *x = (MtTouch) {.s = s, .a = st->arena, .list = MT_NEW_N (st->arena, Dependent, n + 1)};
   x->server = !mt_engine_caps (s->engine)->savepoints;
   add_readers (x, all, n, t->name, -1);
   for (size_t i = 0; i < x->count; i++)
      x->list[i].is_read = add_readers (x, all, n, x->list[i].v.name, (int) i);
   *out = x->count ? x : NULL;
   /* Announces the write, so that a refresh does not store rows that a rollback may remove. */
   return !*out || !mt_engine_in_pieces (s->engine) ||
          mt_intend (st, t, MT_INTENDS_WRITE, NULL, 0, err);
}

/* ---- ranges ---- */

/* Joins the two ranges of a set that have the smallest gap between them. */
static void join_nearest (MtRangeSet *s)
{
   int at = 1;
   for (int i = 2; i < s->count; i++)
      if (s->ranges[i].lo - s->ranges[i - 1].hi < s->ranges[at].lo - s->ranges[at - 1].hi)
         at = i;
   s->ranges[at - 1].hi = s->ranges[at].hi;
   memmove (&s->ranges[at], &s->ranges[at + 1], (size_t) (s->count - at - 1) * sizeof (MtRange));
   s->count--;
}

static bool has_range (MtRangeSet s, MtRange r)
{
   for (int i = 0; i < s.count; i++)
      if (s.ranges[i].lo <= r.lo && r.hi <= s.ranges[i].hi)
         return true;
   return false;
}

static void add_range (MtTouch *x, Dependent *d, MtRange r)
{
   if ((r.lo >= d->v.watermark_ms && !x->server) || has_range (d->ranges, r))
      return;
   MtRangeSet with = mt_ranges_union (x->a, d->ranges, mt_ranges_one (x->a, r.lo, r.hi));
   while (with.count > MOST_RANGES)
      join_nearest (&with);
   d->ranges = with;
   x->unsaved |= r.lo < d->v.watermark_ms;
}

static bool touch_one (MtTouch *x, Dependent *d, int64_t ms, MtError *err)
{
   if (d->through >= 0)
      ms = x->list[d->through].last.lo;
   if ((ms >= d->last.lo && ms < d->last.hi) ||
       (ms >= d->v.watermark_ms && !x->server && !d->is_read))
      return true;
   if (!mt_bucket_of (x->s, &d->v, ms, &d->last, err))
      return false;
   add_range (x, d, d->last);
   return true;
}

bool mt_touch_time (MtTouch *x, MtVal time, MtError *err)
{
   for (size_t i = 0; x && time.type == MT_DATE && i < x->count; i++)
      if (!touch_one (x, &x->list[i], time.i, err))
         return false;
   return true;
}

bool mt_touch_ranges (MtTouch *x, MtRangeSet ranges, MtError *err)
{
   MtRangeSet *wide = x ? MT_NEW_N (x->a, MtRangeSet, x->count) : NULL;
   for (size_t i = 0; x && i < x->count; i++) {
      Dependent *d = &x->list[i];
      wide[i] = d->through < 0 ? ranges : wide[d->through];
      if (!mt_bucket_widen (x->s, x->a, &d->v, &wide[i], err))
         return false;
      for (int k = 0; k < wide[i].count; k++)
         add_range (x, d, wide[i].ranges[k]);
   }
   return true;
}

bool mt_touch_all (MtTouch *x, MtError *err)
{
   return !x || mt_touch_ranges (x, mt_ranges_all (x->a), err);
}

/* ---- saving ---- */

/* On the embedded engine: if a view would have more than MOST_RANGES marks, removes them, and adds
 * their ranges to *add, joined to fewer. */
static bool compact (MtTouch *x, const Dependent *d, MtRangeSet *add, MtError *err)
{
   size_t n;
   const MtStale *list = mt_stale_list (x->s, x->a, &d->v, &n);
   if (x->server || n + (size_t) add->count <= MOST_RANGES)
      return true;
   for (size_t i = 0; i < n; i++) {
      *add = mt_ranges_union (x->a, *add, mt_ranges_one (x->a, list[i].range.lo, list[i].range.hi));
      if (!mt_stale_drop (x->s, list[i].name, err))
         return false;
   }
   while (add->count > MOST_RANGES / 2)
      join_nearest (add);
   return true;
}

/* Saves marks for the changed buckets that are not in `marked`. */
static bool save_marks (MtTouch *x, Dependent *d, MtRangeSet marked, MtError *err)
{
   MtRangeSet stored = mt_ranges_one (x->a, MT_TIME_MIN, d->v.watermark_ms),
              add = mt_ranges_without (x->a, mt_ranges_intersect (x->a, d->ranges, stored), marked);
   if (add.count && !compact (x, d, &add, err))
      return false;
   for (int i = 0; i < add.count; i++)
      if (!mt_stale_add (x->s, x->a, &d->v, add.ranges[i], false, err))
         return false;
   return true;
}

bool mt_touch_save (MtTouch *x, MtError *err)
{
   for (size_t i = 0; x && x->unsaved && i < x->count; i++) {
      Dependent *d = &x->list[i];
      size_t n;
      const MtStale *list = mt_stale_list (x->s, x->a, &d->v, &n);
      MtRangeSet marked = {0};
      for (size_t k = 0; k < n; k++)
         if (!list[k].claimed)
            marked = mt_ranges_union (x->a, marked,
                                      mt_ranges_one (x->a, list[k].range.lo, list[k].range.hi));
      if (!save_marks (x, d, marked, err))
         return false;
   }
   if (x)
      x->unsaved = false;
   return true;
}

bool mt_touch_ahead (MtTouch *x, MtError *err)
{
   if (!x || !x->server || !x->unsaved)
      return true;
   return (++x->saves <= MOST_AHEAD || mt_touch_all (x, err)) && mt_touch_save (x, err);
}

/* ---- checking for a refresh at the same time ---- */

/* Reads the unclaimed marks of a view from the catalog, not from its cache. */
static bool read_marks (MtTouch *x, const Dependent *d, MtRangeSet *out, MtError *err)
{
   MtCursor *c;
   const bson_t *doc;
   bool ok;
   *out = (MtRangeSet) {0};
   if (!mt_catalog_documents (x->s->catalog, "stale", &c, err))
      return false;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc) {
      MtVal body = mt_doc_field (mt_v_doc (doc), "body"), claimed = mt_doc_field (body, "claimed");
      if (mt_v_is_text (mt_doc_field (body, "view"), d->v.id) && !claimed.i)
         *out = mt_ranges_union (x->a, *out,
                                 mt_ranges_one (x->a, mt_doc_field (body, "lo").i,
                                                mt_doc_field (body, "hi").i));
   }
   mt_cursor_free (c);
   return ok;
}

/* Reads the watermarks of the views from the catalog, not from its cache. */
static bool read_watermarks (MtTouch *x, MtError *err)
{
   MtCursor *c;
   const bson_t *doc;
   bool ok;
   if (!mt_catalog_documents (x->s->catalog, "continuous", &c, err))
      return false;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc) {
      MtVal body = mt_doc_field (mt_v_doc (doc), "body");
      for (size_t i = 0; i < x->count; i++)
         if (mt_v_is_text (mt_doc_field (body, "id"), x->list[i].v.id))
            x->list[i].v.watermark_ms = mt_doc_field (body, "watermark_ms").i;
   }
   mt_cursor_free (c);
   return ok;
}

bool mt_touch_confirm (MtTouch *x, MtError *err)
{
   MtRangeSet marked;
   if (!x || !x->server)
      return true;
   if (!read_watermarks (x, err))
      return false;
   for (size_t i = 0; i < x->count; i++)
      if (x->list[i].ranges.count &&
          (!read_marks (x, &x->list[i], &marked, err) || !save_marks (x, &x->list[i], marked, err)))
         return false;
   return true;
}
