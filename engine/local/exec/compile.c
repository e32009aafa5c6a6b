/* Compiles a pipeline into a chain of nodes, stage by stage. */
#include "engine/local/exec/stages.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"

static bool unknown_stage (MtCompile *c, const char *name)
{
   const MtStageRow *rows = c->exec->args.stages;
   size_t n = 0;
   while (rows[n].name)
      n++;
   const char **names = MT_NEW_N (c->arena, const char *, n);
   for (size_t i = 0; i < n; i++)
      names[i] = rows[i].name;
   mt_error (c->err, MT_E_FEATURE, "unrecognized pipeline stage name: \"%s\"", name);
   const char *near = mt_nearest (name, names, n);
   return near ? mt_error_hint (c->err, "Perhaps you meant \"%s\".", near) : false;
}

bool mt_compile_stage (MtCompile *c, const char *name, MtVal spec)
{
   for (const MtStageRow *row = c->exec->args.stages; row->name; row++)
      if (strcmp (name, row->name) == 0) {
         c->stage = row->name;
         return row->compile (c, spec) && !c->failed;
      }
   return unknown_stage (c, name);
}

/* Returns n if stages i and i + 1 of the list are {"$sort": …}, {"$limit": n}. $sort then keeps
 * only n rows. Returns 0 otherwise. */
static uint64_t limit_after (const MtVal *list, size_t n, size_t i)
{
   if (i + 1 >= n || list[i + 1].type != MT_DOC)
      return 0;
   MtVal v = mt_doc_get (list[i + 1], "$limit", 6);
   if (v.type == MT_DOUBLE && v.d >= 1 && v.d < 1e15)
      return (uint64_t) v.d;
   return (v.type == MT_INT32 || v.type == MT_INT64) && v.i > 0 ? (uint64_t) v.i : 0;
}

/* Returns m + n if {"$sort": …} is followed by [{"$skip": m},] {"$_mtLimitTies": {"limit": n,
 * …}}. $sort then keeps that many rows, and all rows that sort like the last of them. */
static uint64_t ties_after (const MtVal *list, size_t n, size_t i)
{
   int64_t skip = 0;
   MtVal v = i + 1 < n && list[i + 1].type == MT_DOC ? mt_doc_get (list[i + 1], "$skip", 5)
                                                     : mt_v_missing ();
   if (v.type == MT_INT32 || v.type == MT_INT64) {
      skip = v.i;
      i++;
   }
   v = i + 1 < n && list[i + 1].type == MT_DOC ? mt_doc_get (list[i + 1], "$_mtLimitTies", 13)
                                               : mt_v_missing ();
   v = v.type == MT_DOC ? mt_doc_get (v, "limit", 5) : v;
   bool counts = (v.type == MT_INT32 || v.type == MT_INT64) && v.i > 0 && skip >= 0 &&
                 v.i < INT64_C (1) << 40 && skip < INT64_C (1) << 40;
   return counts ? (uint64_t) (v.i + skip) : 0;
}

bool mt_compile_stages (MtCompile *c, const bson_t *pipeline)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, mt_v_array (pipeline), &n);
   if (n > MT_MAX_PIPELINE_STAGES)
      return mt_error (c->err, MT_E_LIMIT, "pipeline length must be no longer than %d stages",
                       MT_MAX_PIPELINE_STAGES);
   bool named = false; /* the pipeline began with $_mtWith, which may come before $documents */
   c->length = n;
   for (size_t i = 0; i < n; i++) {
      MtDocIter it = mt_doc_iter (list[i]);
      MtStr key;
      MtVal spec;
      c->at = (uint32_t) i;
      if (list[i].type != MT_DOC || mt_doc_count (list[i]) != 1 || !mt_doc_next (&it, &key, &spec))
         return mt_bad (c, "a pipeline stage specification object must contain exactly one field");
      char *name = mt_strndup (c->arena, key.p, key.n);
      bool sorted = strcmp (name, "$sort") == 0;
      c->stage = "$sort";
      named = named || strcmp (name, "$_mtWith") == 0;
      if (i > named && strcmp (name, "$documents") == 0)
         return mt_bad (c, "$documents is only valid as the first stage in a pipeline");
      if (sorted ? !mt_stage_sort (c, spec, limit_after (list, n, i), ties_after (list, n, i))
                 : !mt_compile_stage (c, name, spec))
         return false;
   }
   return !c->failed;
}
