/* Checks the documents of attached collections, once, before they are queried. Malformed documents
 * are an error, so that they never give wrong sums. */
#include "layouts/read/attach.h"
#include "layouts/collections/partition.h"
#include "planner/cut/parts.h"
#include "engine/pipe.h"
#include "planner/cut/shape.h"
#include "session/core/core.h"
#include "session/state/session.h"

#include <inttypes.h>
#include <string.h>

/* The result of checking a collection, which is valid until the collection changes. */
typedef struct MtShapeCache {
   const char *table, *layout, *collection;
   MtCollectionState state;
   uint64_t malformed, disagreeing;
   const char *first; /* the _id of the first malformed document, as JSON */
   const char *why;   /* the reason why that document is malformed; NULL: not known yet */
   const char *hint;
   struct MtShapeCache *next;
} MtShapeCache;

static MtShapeCache *cache_entry (MtSession *s, const MtTable *t, const MtLayout *l,
                                  const char *collection)
{
   for (MtShapeCache *c = s->shapes; c; c = c->next)
      if (strcmp (c->collection, collection) == 0 && strcmp (c->table, t->name) == 0 &&
          strcmp (c->layout, l->name) == 0)
         return c;
   MtShapeCache *c = MT_NEW (s->arena, MtShapeCache);
   *c = (MtShapeCache) {.table = mt_strdup (s->arena, t->name),
                        .layout = mt_strdup (s->arena, l->name),
                        .collection = mt_strdup (s->arena, collection),
                        .next = s->shapes};
   s->shapes = c;
   return c;
}

static bson_t *counting_pipeline (MtArena *a, const bson_t *match)
{
   MtPipe *p = mt_pipe_new (a);
   bson_t *group = mt_doc_new (a), *n = mt_doc_new (a), *first = mt_doc_new (a);
   mt_pipe_add (p, "$match", match);
   mt_doc_add (group, "_id", mt_v_null ());
   mt_doc_add_int (n, "$sum", 1);
   mt_doc_add_doc (group, "n", n);
   mt_doc_add_path (a, first, "$min", "_id");
   mt_doc_add_doc (group, "first", first);
   mt_pipe_add (p, "$group", group);
   return p->stages;
}

bool mt_count_matching (MtStatement *st, const char *collection, const bson_t *match,
                        uint64_t *count, const char **first, MtError *err)
{
   MtAggregateArgs args = {.collection = collection,
                           .pipeline = counting_pipeline (st->arena, match)};
   MtCursor *cursor;
   const bson_t *doc;
   if (!mt_engine_aggregate (st->session->engine, &args, &cursor, err))
      return false;
   bool ok = mt_cursor_next (cursor, &doc, err);
   *count = 0;
   bson_iter_t it;
   if (ok && doc && bson_iter_init_find (&it, doc, "n"))
      *count = (uint64_t) bson_iter_as_int64 (&it);
   if (ok && doc && bson_iter_init_find (&it, doc, "first")) {
      MtBuf text = {0};
      mt_v_to_json (mt_v_from_iter (&it), false, &text);
      *first = mt_strndup (st->session->arena, text.p, text.n);
      mt_buf_free (&text);
   }
   mt_cursor_free (cursor);
   return ok;
}

/* Sets *digest to a sum of the hashes of all documents, which changes when a document changes. It
 * takes a tenth of the time of a check. The hashes are reduced to 36 bits, so that their sum stays
 * an integer. */
static bool digest_of (MtStatement *st, const char *collection, int64_t *digest, MtError *err)
{
   bson_t *pipeline = mt_doc_new (st->arena);
   mt_doc_printf (pipeline,
                  "0: {$group: {_id: null, n: {$sum: {$mod: [{$toHashedIndexKey: "
                  "'$$ROOT'}, %" PRId64 "]}}}}",
                  INT64_C (1) << 36);
   MtAggregateArgs args = {.collection = collection, .pipeline = pipeline};
   MtCursor *cursor;
   const bson_t *doc;
   bson_iter_t it;
   if (!mt_engine_aggregate (st->session->engine, &args, &cursor, err))
      return false;
   bool ok = mt_cursor_next (cursor, &doc, err);
   *digest = ok && doc && bson_iter_init_find (&it, doc, "n") ? bson_iter_as_int64 (&it) : 0;
   mt_cursor_free (cursor);
   return ok;
}

bool mt_collection_changed (MtStatement *st, const char *collection, MtCollectionState *io,
                            bool *changed, MtError *err)
{
   MtSession *s = st->session;
   const MtCaps *caps = mt_engine_caps (s->engine);
   MtCollectionState now = {.at_us = mt_now_us ()};
   *changed = false;
   if (io->at_us && st->stmt && st->stmt->kind == MT_STMT_SELECT &&
       now.at_us - io->at_us < 1000 * s->settings.catalog_max_age)
      return true;
   bool digests = !caps->exact_stats && caps->hashes_all;
   if (!mt_engine_stats (s->engine, collection, &now.size, err))
      return false;
   MtError lacking;
   if (digests && !digest_of (st, collection, &now.digest, &lacking)) {
      if (!mt_cancel_check (&s->cancel, err))
         return false;
      digests = false; /* the server lacks the operator, so the documents must be checked again */
   }
   bool resized = now.size.documents != io->size.documents || now.size.bytes != io->size.bytes;
   *changed = !io->at_us || (caps->exact_stats ? resized : !digests || now.digest != io->digest);
   *io = now;
   return true;
}

/* Sets *bad to the number of documents for which the expression `good` is false, and *first to the
 * _id of one of them. */
static bool count_bad (MtStatement *st, const char *collection, const bson_t *good, uint64_t *bad,
                       const char **first, MtError *err)
{
   bson_t *match = mt_doc_new (st->arena);
   mt_doc_add (match, "$expr", mt_doc_value (mt_mql_op (st->arena, "$not", good, NULL)));
   return mt_count_matching (st, collection, match, bad, first, err);
}

static bool check_documents (MtStatement *st, const MtTable *t, const MtLayout *l,
                             const MtStoreDesc *d, MtShapeCache *c, MtError *err)
{
   c->malformed = c->disagreeing = 0;
   c->why = NULL;
   if (l->attached && !count_bad (st, c->collection, mt_well_formed (st->arena, t, l, d),
                                  &c->malformed, &c->first, err))
      return false;
   return c->malformed || l->presums != MT_PRESUMS_VERIFY ||
          count_bad (st, c->collection, mt_sums_agree (st->arena, t, d), &c->disagreeing, &c->first,
                     err);
}

/* Reads the first malformed document again, and sets c->why to its fault. */
static bool explain_first (MtStatement *st, const MtTable *t, const MtLayout *l,
                           const MtStoreDesc *d, MtShapeCache *c, MtError *err)
{
   MtStoreDesc s = mt_store_alone (d, c->collection);
   MtPipe *p = mt_pipe_new (st->arena);
   bson_t *match = mt_doc_new (st->arena), *sort = mt_doc_new (st->arena);
   mt_doc_add (
      match, "$expr",
      mt_doc_value (mt_mql_op (st->arena, "$not", mt_well_formed (st->arena, t, l, d), NULL)));
   mt_pipe_add (p, "$match", match);
   mt_doc_add_int (sort, "_id", 1);
   mt_pipe_add (p, "$sort", sort);
   mt_pipe_add_value (p, "$limit", mt_v_int64 (1));
   MtAggregateArgs args = {.collection = c->collection, .pipeline = p->stages};
   MtCursor *cursor;
   const bson_t *doc;
   if (!mt_engine_aggregate (st->session->engine, &args, &cursor, err))
      return false;
   MtError misfit;
   bool ok = mt_cursor_next (cursor, &doc, err);
   bool told = ok && doc &&
               !mt_document_fits (st->arena, &(MtTableStore) {t, l, &s}, mt_v_doc (doc), &misfit) &&
               *misfit.detail;
   c->hint = told && *misfit.hint ? mt_strdup (st->session->arena, misfit.hint) : NULL;
   const char *one = mt_printf (st->arena, "One of them has _id %s.", c->first ? c->first : "null");
   c->why = mt_strdup (st->session->arena, told ? misfit.detail : one);
   mt_cursor_free (cursor);
   return ok;
}

static bool refuse_shape (MtStatement *st, const MtTable *t, const MtLayout *l,
                          const MtStoreDesc *d, MtShapeCache *c, MtError *err)
{
   unsigned long long bad = c->malformed;
   if (!c->why && !explain_first (st, t, l, d, c, err))
      return false;
   mt_error (err, MT_E_CORRUPT,
             "collection \"%s\" has %llu document%s of another shape than layout \"%s\"",
             c->collection, bad, mt_plural (bad), c->layout);
   mt_error_detail (err, "%s", c->why);
   if (c->hint)
      return mt_error_hint (err, "%s", c->hint);
   return mt_error_hint (err, "Set on_malformed to 'skip' to leave %s out with a warning.",
                         bad == 1 ? "it" : "them");
}

static bool report_bad (MtStatement *st, const MtTable *t, const MtLayout *l, const MtStoreDesc *d,
                        MtShapeCache *c, MtError *err)
{
   unsigned long long bad = c->malformed, wrong = c->disagreeing;
   if (wrong) {
      mt_error (
         err, MT_E_CORRUPT,
         "collection \"%s\" has %llu document%s whose stored sums disagree with the levels below "
         "them",
         c->collection, wrong, mt_plural (wrong));
      mt_error_detail (err, "One of them has _id %s.", c->first ? c->first : "null");
      return mt_error_hint (err, "A layout with presums = 'ignore' reads the %s only.",
                            l->keeps == MT_KEEPS_SUMS ? "finest of its levels" : "records");
   }
   if (!bad)
      return true;
   if (!st->session->settings.skip_malformed)
      return refuse_shape (st, t, l, d, c, err);
   st->malformed = true;
   mt_notice (st->session, "WARNING", NULL,
              "%llu document%s of another shape in collection \"%s\" %s left out", bad,
              mt_plural (bad), c->collection, bad == 1 ? "is" : "are");
   return true;
}

/* Checks the documents of a collection if it has changed, and adds its size to *seen. */
static bool check_collection (MtStatement *st, const MtTableStore *of, const char *collection,
                              MtCollStats *seen, MtError *err)
{
   const MtTable *t = of->t;
   const MtLayout *l = of->l;
   const MtStoreDesc *s = of->s;
   MtShapeCache *c = cache_entry (st->session, t, l, collection);
   bool changed;
   if (!mt_collection_changed (st, collection, &c->state, &changed, err))
      return false;
   if (changed && !check_documents (st, t, l, s, c, err)) {
      c->state.at_us = 0;
      return false;
   }
   seen->documents += c->state.size.documents;
   seen->bytes += c->state.size.bytes;
   return report_bad (st, t, l, s, c, err);
}

/* Returns the store's collections that query q may read: for partitions, those whose times it
 * needs. */
static const char *const *collections_read (MtStatement *st, const MtStoreDesc *s, const MtQuery *q,
                                            size_t *count)
{
   if (!s->parts || !q || !st->session->settings.optimize)
      return mt_store_collections_of (st->arena, s, count);
   MtParts parts = mt_parts_of (st->arena, s, mt_need_of (st->arena, q, &st->env.style).within);
   const char **names = MT_NEW_N (st->arena, const char *, parts.count + 1);
   for (*count = 0; *count < parts.count; ++*count)
      names[*count] = parts.first[*count].collection;
   return names;
}

/* Checks the collections of a store that the query reads, and stores their size in *stats for the
 * planner. Partitions that are not read are assumed to be as large as the others. */
static bool check_store (MtStatement *st, const MtTableStore *of, const MtQuery *q,
                         MtStoreStats *stats, MtError *err)
{
   size_t n;
   const char *const *names = collections_read (st, of->s, q, &n);
   MtCollStats seen = {0};
   for (size_t k = 0; k < n; k++)
      if (!check_collection (st, of, names[k], &seen, err))
         return false;
   double all = of->s->parts && n ? (double) of->s->parts->count / (double) n : 1;
   if (stats && n) {
      stats->seen = true;
      stats->seen_documents = (double) seen.documents * all;
      stats->seen_bytes = (double) seen.bytes * all;
   }
   return true;
}

bool mt_check_shapes (MtStatement *st, const MtTable *t, const MtQuery *q, MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++) {
      const MtLayout *l = &t->layouts[i];
      if ((!l->attached && l->presums != MT_PRESUMS_VERIFY) ||
          (st->session->settings.layout && !mt_ieq (st->session->settings.layout, l->name)))
         continue;
      for (size_t j = 0; j < l->store_count; j++)
         if (!check_store (st, &(MtTableStore) {t, l, &l->stores[j]}, q,
                           l->stats ? &l->stats[j] : NULL, err))
            return false;
   }
   return true;
}
