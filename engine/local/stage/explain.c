/* The result of MongoDB's command explain for a pipeline that runs in this process: a cursor with
 * one document.
 *
 * {explainVersion: "1",
 *  stages: [{$cursor: {queryPlanner, executionStats}, …},
 *           {$match: …, nReturned, executionTimeMillisEstimate}, …],
 *  mtsql: {…}, ok: 1}
 *
 * A stage that the compiler merged with a neighbouring stage has no nReturned and no time of its
 * own. */
#include "base/bson.h"
#include "base/memory.h"
#include "engine/implement.h"
#include "engine/local/stage/stage.h"

#include <stdlib.h>
#include <string.h>

typedef struct Explain {
   MtCursor cursor;
   MtCursor *run; /* the pipeline's own cursor */
   MtArena *arena;
   const char *collection;
   MtVal pipeline;
   bool runs, ended;
   MtBson answer;
   bson_t doc;
} Explain;

static void put_source (Explain *x, const MtRunStats *s)
{
   MtBson *b = &x->answer;
   size_t stage = mt_bson_doc_at (b, 0), cursor = mt_bson_doc (b, "$cursor");
   mt_bson_printf (b,
                   "queryPlanner: {namespace: %s, winningPlan: {stage: 'COLLSCAN', direction: "
                   "'forward'}}",
                   x->collection);
   if (x->runs)
      mt_bson_printf (b,
                      "executionStats: {executionSuccess: true, nReturned: %" PRId64
                      ", executionTimeMillis: %" PRId64
                      ", totalKeysExamined: 0, totalDocsExamined: %" PRId64 "}",
                      (int64_t) s->docs_in, (int64_t) s->us / 1000, (int64_t) s->docs_read);
   mt_bson_end (b, cursor);
   mt_bson_end (b, stage);
}

static const MtStageStats *stats_at (const MtRunStats *s, size_t at)
{
   for (size_t i = 0; i < s->stage_count; i++)
      if (s->stages[i].at == at)
         return &s->stages[i];
   return NULL;
}

static void put_stages (Explain *x, const MtRunStats *s)
{
   MtBson *b = &x->answer;
   uint32_t at = x->collection != NULL;
   size_t place = 0;
   MtStr key, name;
   MtVal stage, spec;
   for (MtDocIter it = mt_doc_iter (x->pipeline); mt_doc_next (&it, &key, &stage); place++) {
      const MtStageStats *of = x->runs ? stats_at (s, place) : NULL;
      MtDocIter within = mt_doc_iter (stage);
      size_t doc = mt_bson_doc_at (b, at++);
      if (mt_doc_next (&within, &name, &spec))
         mt_bson_put_named (b, name.p, name.n, spec);
      if (of)
         mt_bson_printf (b,
                         "nReturned: %" PRId64 ", executionTimeMillisEstimate: %" PRId64
                         ", usedDisk: %p",
                         (int64_t) of->docs_out, (int64_t) of->us / 1000,
                         (void *) &(MtVal) {.type = MT_BOOL, .i = of->spilled > 0});
      mt_bson_end (b, doc);
   }
}

static bool next (MtCursor *cursor, const bson_t **doc, MtError *err)
{
   Explain *x = (Explain *) cursor;
   MtRunStats s = {0};
   const bson_t *row = NULL;
   bool ok = true;
   *doc = NULL;
   if (x->ended)
      return true;
   x->ended = true;
   while (x->runs && (ok = mt_cursor_next (x->run, &row, err)) && row)
      ;
   if (!ok)
      return false;
   mt_cursor_stats (x->run, &s);
   MtBson *b = &x->answer;
   mt_bson_start (b);
   mt_bson_put (b, "explainVersion", mt_v_cstr ("1"));
   size_t stages = mt_bson_array (b, "stages");
   if (x->collection)
      put_source (x, &s);
   put_stages (x, &s);
   mt_bson_end (b, stages);
   if (x->runs)
      mt_bson_printf (b,
                      "mtsql: {bytesRead: %" PRId64 ", bytesOfCollections: %" PRId64
                      ", blocksRead: %" PRId64 ", blocksSkipped: %" PRId64 "}",
                      (int64_t) s.bytes_read, (int64_t) s.bytes_total, (int64_t) s.blocks_read,
                      (int64_t) s.blocks_pruned);
   mt_bson_put (b, "ok", mt_v_double (1));
   if (!mt_bson_finish (b, &x->doc))
      return mt_memory_check (err) && mt_error (err, MT_E_LIMIT, "the pipeline is too large");
   *doc = &x->doc;
   return true;
}

static void explain_free (MtCursor *cursor)
{
   Explain *x = (Explain *) cursor;
   mt_cursor_free (x->run);
   mt_bson_free (&x->answer);
   mt_arena_free (x->arena);
   free (x);
}

static const MtCursorVt explain_vt = {.next = next, .free = explain_free};

MtCursor *mt_explain_new (MtCursor *run, const MtAggregateArgs *args)
{
   /* bson_t needs a larger alignment than calloc gives. */
   Explain *x = mt_aligned ("explain", _Alignof (Explain), sizeof *x);
   memset (x, 0, sizeof *x);
   x->cursor.vt = &explain_vt;
   x->run = run;
   x->arena = mt_arena_new ("explain", NULL);
   x->collection = args->collection ? mt_strdup (x->arena, args->collection) : NULL;
   x->pipeline = mt_v_copy (x->arena, mt_v_array (args->pipeline));
   x->runs = strcmp (args->explain, "queryPlanner") != 0;
   return &x->cursor;
}
