/* mtsql --aggregate: runs a pipeline whose text is written as in mongosh, or as EXPLAIN printed
 * it. */
#include "base/bson.h"
#include "engine/codes.h"
#include "session/coordinate/coordinate.h"
#include "types/mongosh.h"
#include "session/state/session.h"

#include <math.h>
#include <string.h>

/* A pipeline to run, and its parsed text and options. */
typedef struct Aggregate {
   MtSession *session;
   const MtPipelineRun *run;
   MtMongoshAggregate text;
   bson_t options; /* options that are passed to the engine */
   const char *explain;
} Aggregate;

/* ---- options ---- */

typedef enum Takes { BOOLEAN, COUNT, OBJECT, NAME_OR_OBJECT, ANYTHING } Takes;

static bool whole (MtVal v, int64_t *n)
{
   bool ok = v.type == MT_INT32 || v.type == MT_INT64 ||
             (v.type == MT_DOUBLE && fabs (v.d) < 9e18 && v.d == (double) (int64_t) v.d);
   *n = v.type == MT_DOUBLE && ok ? (int64_t) v.d : v.i;
   return ok && *n >= 0;
}

static bool takes (Takes type, MtVal v)
{
   int64_t n;
   switch (type) {
   case BOOLEAN: return v.type == MT_BOOL;
   case COUNT: return whole (v, &n);
   case OBJECT: return v.type == MT_DOC;
   case NAME_OR_OBJECT: return v.type == MT_DOC || v.type == MT_STRING;
   case ANYTHING: return true;
   }
   return false;
}

static bool set_sent (Aggregate *a, const char *name, MtVal v)
{
   mt_doc_add (&a->options, name, v);
   return true;
}

static bool set_batch_size (Aggregate *a, const char *name, MtVal v)
{
   int64_t n;
   whole (v, &n);
   mt_doc_printf (&a->options, "cursor: {batchSize: %" PRId64 "}", n);
   return true;
}

static bool set_max_time (Aggregate *a, const char *name, MtVal v)
{
   int64_t n, *deadline = &a->session->cancel.deadline_ms;
   whole (v, &n);
   int64_t until = mt_now_ms () + (n < INT32_MAX ? n : INT32_MAX);
   if (n && (!*deadline || until < *deadline))
      *deadline = until;
   return true;
}

static bool set_explain (Aggregate *a, const char *name, MtVal v)
{
   if (v.i && !a->explain)
      a->explain = "queryPlanner";
   return true;
}

static bool set_nothing (Aggregate *a, const char *name, MtVal v) { return true; }

static const struct Option {
   const char *name;
   Takes type;
   const char *needs; /* for the message: what the value must be */
   bool (*set) (Aggregate *a, const char *name, MtVal v);
} options[] = {
   {"allowDiskUse", BOOLEAN, "true or false", set_nothing}, /* ignored: always on */
   {"batchSize", COUNT, "a whole number", set_batch_size},
   {"collation", OBJECT, "an object", set_sent},
   {"comment", ANYTHING, NULL, set_sent},
   {"cursor", OBJECT, "an object", set_sent},
   {"explain", BOOLEAN, "true or false", set_explain},
   {"hint", NAME_OR_OBJECT, "the name or the key of an index", set_sent},
   {"let", OBJECT, "an object", set_sent},
   {"maxTimeMS", COUNT, "a whole number", set_max_time},
};

static bool set_option (Aggregate *a, MtStr key, MtVal v, MtError *err)
{
   MtSpan at = a->text.options_span;
   for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
      const struct Option *o = &options[i];
      if (!mt_str_is (key, o->name))
         continue;
      return takes (o->type, v)
                ? o->set (a, o->name, v)
                : mt_error_at (err, at, MT_E_PARAMETER, "option \"%s\" of aggregate must be %s",
                               o->name, o->needs);
   }
   mt_error_at (err, at, MT_E_FEATURE, "option \"%.*s\" of aggregate is not supported", (int) key.n,
                key.p);
   return mt_error_hint (err, "Leave the option out.");
}

static bool set_options (Aggregate *a, MtError *err)
{
   MtStr key;
   MtVal v;
   if (a->text.options.type != MT_MISSING && a->text.options.type != MT_DOC)
      return mt_error_at (err, a->text.options_span, MT_E_SYNTAX,
                          "the options of aggregate must be an object");
   for (MtDocIter it = mt_doc_iter (a->text.options); mt_doc_next (&it, &key, &v);)
      if (!set_option (a, key, v, err))
         return false;
   return true;
}

/* ---- the pipeline ---- */

/* Sets *out to the collection that the argument or the pipeline's text names. If both name one, the
 * names must be equal. */
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

/* Returns the name of the collection that a stage $out or $merge writes to; MT_MISSING: the stage
 * is another one. */
static MtVal target_of (MtVal stage)
{
   MtVal out = mt_doc_field (stage, "$out"), merge = mt_doc_field (stage, "$merge");
   if (out.type == MT_DOC)
      return mt_doc_field (out, "coll");
   MtVal into = merge.type == MT_DOC ? mt_doc_field (merge, "into") : merge;
   if (out.type != MT_MISSING)
      return out;
   return into.type == MT_DOC ? mt_doc_field (into, "coll") : into;
}

/* Checks the stages $out and $merge of a pipeline: the session may write, and the collection does
 * not belong to a table, whose layouts must stay consistent. */
static bool may_write (Aggregate *a, MtVal stages, MtError *err)
{
   MtSession *s = a->session;
   MtStr key;
   MtVal stage;
   for (MtDocIter it = mt_doc_iter (stages); mt_doc_next (&it, &key, &stage);) {
      MtVal target = stage.type == MT_DOC ? target_of (stage) : mt_v_missing ();
      bool attached;
      if (target.type == MT_MISSING)
         continue;
      if (s->options.read_only)
         return mt_error (err, MT_E_READ_ONLY,
                          "cannot run a pipeline that writes: the session is "
                          "read-only");
      if (s->options.restricted)
         return mt_error (err, MT_E_PRIVILEGE,
                          "pipelines that write are not allowed in restricted mode");
      const char *name = target.type == MT_STRING
                            ? mt_strndup (s->arena, (const char *) target.p, target.len)
                            : "";
      if (!mt_catalog_refresh (s->catalog, NULL, err))
         return false;
      const MtTable *t = mt_collection_owner (s, name, &attached);
      if (t && !attached) {
         mt_error_coded (err, MT_E_WRONG_OBJECT, 20,
                         "cannot write into collection \"%s\": it belongs to table \"%s\"", name,
                         t->name);
         return mt_error_hint (err, "Use INSERT.");
      }
   }
   return true;
}

static bool run_pipeline (Aggregate *a, const char *collection,
                          bool (*emit) (void *ctx, const char *line, size_t n), void *ctx,
                          MtError *err)
{
   bson_t pipeline;
   MtCursor *cursor = NULL;
   const bson_t *doc = NULL;
   MtBuf line = {0};
   MtVal stages = a->text.pipeline;
   if (!may_write (a, stages, err))
      return false;
   if (!bson_init_static (&pipeline, stages.p, stages.len))
      return mt_error (err, MT_E_LIMIT, "the pipeline is too large");
   MtAggregateArgs args = {.collection = collection,
                           .pipeline = &pipeline,
                           .options = &a->options,
                           .explain = a->explain};
   bool ok = mt_engine_aggregate (a->session->engine, &args, &cursor, err);
   while (ok && (ok = mt_cursor_next (cursor, &doc, err)) && doc) {
      mt_buf_clear (&line);
      mt_v_to_json (mt_v_doc (doc), !a->run->relaxed, &line);
      ok = mt_cancel_check (&a->session->cancel, err);
      if (!ok || !emit (ctx, line.p, line.n))
         break;
   }
   mt_buf_free (&line);
   if (cursor)
      mt_cursor_free (cursor);
   return ok;
}

/* MongoDB's error codes for errors that mtsql raises outside of pipelines. */
static const struct {
   const char *sqlstate;
   int32_t code;
} codes[] = {
   {MT_E_READ_ONLY, 13},
   {MT_E_PRIVILEGE, 13},
   {MT_E_UNIQUE, 11000},
   {MT_E_SERIALIZATION, 112},
};
enum { INTERRUPTED = 11601 };

/* Adds MongoDB's code and name of the error to its detail, for users of MongoDB's drivers. Returns
 * false. */
static bool say_code (MtError *err)
{
   char buffer[32];
   for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
      if (!err->code && mt_error_is (err, codes[i].sqlstate))
         err->code = codes[i].code;
   if (err->code == INTERRUPTED) /* a user who cancelled needs no code */
      return false;
   const char *form = "MongoDB reports this error as %d (%s).";
   if (err->code)
      (err->detail[0] ? mt_error_context : mt_error_detail) (
         err, form, err->code, mt_code_name (err->code, buffer, sizeof buffer));
   return false;
}

bool mt_aggregate (MtSession *s, const MtPipelineRun *run,
                   bool (*emit) (void *ctx, const char *line, size_t n), void *ctx, MtError *err)
{
   MT_BEGIN_CALL (s, err);
   MtArena *arena = mt_arena_new ("pipeline", s->arena);
   Aggregate a = {.session = s, .run = run, .explain = run->explain};
   const char *name;
   bson_init (&a.options);
   bool ok = mt_mongosh_aggregate (arena, mt_str (run->text), &a.text, err) &&
             choose_collection (run->collection, &a.text, &name, err) && set_options (&a, err) &&
             run_pipeline (&a, name, emit, ctx, err);
   bson_destroy (&a.options);
   mt_arena_free (arena);
   return ok || say_code (err);
}
