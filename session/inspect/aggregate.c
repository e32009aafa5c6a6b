/* --aggregate: runs a pipeline as written in mongosh, or as EXPLAIN printed it. */
#include "session/coordinate/coordinate.h"
#include "types/mongosh.h"
#include "session/state/session.h"

#include <string.h>

/* Accepts the options of aggregate that this program always applies; refuses others. */
static bool check_options (const MtMongoshAggregate *g, MtError *err)
{
   MtStr key;
   MtVal v;
   if (g->options.type != MT_MISSING && g->options.type != MT_DOC)
      return mt_error_at (err, g->options_span, MT_E_SYNTAX,
                          "the options of aggregate must be an object");
   for (MtDocIter it = mt_doc_iter (g->options); mt_doc_next (&it, &key, &v);) {
      bool simple = mt_str_is (key, "collation") &&
                    mt_v_is_text (mt_doc_field (v, "locale"), "simple") && mt_doc_count (v) == 1;
      if (!simple && !mt_str_is (key, "allowDiskUse")) {
         mt_error_at (err, g->options_span, MT_E_FEATURE,
                      "option \"%.*s\" of aggregate is not supported", (int) key.n, key.p);
         return mt_error_hint (err, "Leave the option out.");
      }
   }
   return true;
}

/* Chooses the collection from the argument or the text. If both name a collection, the names must
 * be equal. */
static bool choose_collection (const char *argument, const MtMongoshAggregate *g, const char **out,
                               MtError *err)
{
   *out = *argument ? argument : g->collection;
   if (!*argument || !g->collection || strcmp (argument, g->collection) == 0)
      return true;
   return mt_error_at (err, g->collection_span, MT_E_SYNTAX,
                       "the pipeline reads \"%s\", but the argument names \"%s\"", g->collection,
                       argument);
}

static bool run_pipeline (MtSession *s, const char *collection, MtVal stages,
                          bool (*emit) (void *ctx, const char *line, size_t n), void *ctx,
                          MtError *err)
{
   bson_t pipeline;
   MtCursor *cursor = NULL;
   const bson_t *doc = NULL;
   MtBuf line = {0};
   if (!bson_init_static (&pipeline, stages.p, stages.len))
      return mt_error (err, MT_E_LIMIT, "the pipeline is too large");
   bool ok = mt_engine_aggregate (
      s->engine, &(MtAggregateArgs) {.collection = collection, .pipeline = &pipeline}, &cursor,
      err);
   while (ok && (ok = mt_cursor_next (cursor, &doc, err)) && doc) {
      mt_buf_clear (&line);
      mt_v_to_json (mt_v_doc (doc), true, &line);
      ok = mt_cancel_check (&s->cancel, err);
      if (!ok || !emit (ctx, line.p, line.n))
         break;
   }
   mt_buf_free (&line);
   if (cursor)
      mt_cursor_free (cursor);
   return ok;
}

bool mt_aggregate (MtSession *s, const char *collection, const char *pipeline,
                   bool (*emit) (void *ctx, const char *line, size_t n), void *ctx, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtArena *a = mt_arena_new ("pipeline", s->arena);
   MtMongoshAggregate g;
   const char *name;
   bool ok = mt_mongosh_aggregate (a, mt_str (pipeline), &g, err) &&
             choose_collection (collection, &g, &name, err) && check_options (&g, err) &&
             run_pipeline (s, name, g.pipeline, emit, ctx, err);
   mt_arena_free (a);
   return ok;
}
