/* Visits each document of a collection or a store, and reports progress. */
#include "layouts/collections/partition.h"
#include "session/core/core.h"

#include <string.h>

enum { REPORT_MS = 100 };

bool mt_each_document (MtStatement *st, const char *collection, const bson_t *pipeline,
                       const MtDocumentVisit *v, MtError *err)
{
   MtSession *s = st->session;
   bson_t none = BSON_INITIALIZER;
   MtCollStats stats = {0};
   MtCursor *c;
   const bson_t *doc;
   int64_t reported = 0;
   MtError lost;
   if (pipeline || !mt_engine_stats (s->engine, collection, &stats, &lost))
      stats.documents = 0; /* the total number is unknown */
   bool ok = mt_engine_aggregate (s->engine,
                                  &(MtAggregateArgs) {.collection = collection,
                                                      .pipeline = pipeline ? pipeline : &none},
                                  &c, err);
   bson_destroy (&none);
   if (!ok)
      return false;
   MtArena *a = mt_arena_new ("document", st->arena);
   s->telling++;
   for (uint64_t n = 0; (ok = mt_cursor_next (c, &doc, err)) && doc; n++) {
      ok = mt_cancel_check (&s->cancel, err) && v->each (v->ctx, a, doc, err);
      if (!ok)
         break;
      mt_arena_reset (a);
      if (mt_now_ms () - reported >= REPORT_MS) {
         s->progress.report (s->progress.ctx, v->what, n + 1, stats.documents, 0);
         reported = mt_now_ms ();
      }
   }
   s->telling--;
   mt_arena_free (a);
   mt_cursor_free (c);
   return ok;
}

bool mt_each_of_store (MtStatement *st, const MtStoreDesc *s, const MtDocumentVisit *v,
                       MtError *err)
{
   size_t n;
   const char *const *names = mt_store_collections_of (st->arena, s, &n);
   for (size_t i = 0; i < n; i++) {
      bool has;
      if (!mt_engine_has_collection (st->session->engine, names[i], &has, err) ||
          (has && !mt_each_document (st, names[i], NULL, v, err)))
         return false;
   }
   return true;
}
