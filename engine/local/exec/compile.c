/* Compiles a pipeline into a chain of nodes, stage by stage. */
#include "engine/local/exec/stages.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

static bool unknown_stage (MtCompile *c, const char *name)
{
   const MtStageRow *rows = c->exec->args.stages;
   size_t n = 0;
   if (mt_refused (c, name))
      return false;
   while (rows[n].name)
      n++;
   const char **names = MT_NEW_N (c->arena, const char *, n);
   for (size_t i = 0; i < n; i++)
      names[i] = rows[i].name;
   mt_error_coded (c->err, MT_E_FEATURE, 40324, "unrecognized pipeline stage name: \"%s\"", name);
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

bool mt_stage_fields (MtCompile *c, MtVal spec, const char *const *names, int32_t not_object,
                      int32_t unknown)
{
   MtStr key;
   MtVal v;
   if (spec.type != MT_DOC)
      return mt_bad (c, not_object, "the %s stage specification must be an object", c->stage);
   for (MtDocIter it = mt_doc_iter (spec); mt_doc_next (&it, &key, &v);) {
      size_t i = 0;
      while (names[i] && !mt_str_is (key, names[i]))
         i++;
      if (!names[i])
         return mt_bad (c, unknown, "%s has an unknown field '%.*s'", c->stage,
                        (int) (key.n > 60 ? 60 : key.n), key.p);
   }
   return true;
}

/* Returns the specification of stage i of the list, if the list has n > i stages and the stage is
 * called `name`. Otherwise MT_MISSING. */
static MtVal stage_named (const MtVal *list, size_t n, size_t i, const char *name)
{
   return i < n && list[i].type == MT_DOC ? mt_doc_field (list[i], name) : mt_v_missing ();
}

/* Returns the number of rows in the specification v of $skip or $limit. 0: v is not a valid number,
 * or very large. */
static uint64_t row_count (MtVal v)
{
   const int64_t most = INT64_C (1) << 40;
   if (v.type == MT_DOUBLE && v.d >= 1 && v.d < (double) most)
      return (uint64_t) v.d;
   return (v.type == MT_INT32 || v.type == MT_INT64) && v.i > 0 && v.i < most ? (uint64_t) v.i : 0;
}

/* How many rows a $sort must keep, because it is followed by a limit, with or without {"$skip": m}
 * between them. */
typedef struct Kept {
   uint64_t limit; /* {"$limit": n}: m + n; 0: all rows */
   uint64_t ties;  /* {"$_mtLimitTies": {"limit": n, …}}: m + n, and rows that sort like the last */
} Kept;

static Kept kept_after (const MtVal *list, size_t n, size_t i)
{
   MtVal skip = stage_named (list, n, i + 1, "$skip");
   bool skips = skip.type != MT_MISSING;
   uint64_t skipped = row_count (skip);
   if (skips && !skipped)
      return (Kept) {0};
   MtVal ties = stage_named (list, n, i + 1 + skips, "$_mtLimitTies");
   uint64_t limit = row_count (stage_named (list, n, i + 1 + skips, "$limit"));
   uint64_t count = ties.type == MT_DOC ? row_count (mt_doc_field (ties, "limit")) : 0;
   return (Kept) {.limit = limit ? skipped + limit : 0, .ties = count ? skipped + count : 0};
}

bool mt_compile_stages (MtCompile *c, const bson_t *pipeline)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, mt_v_array (pipeline), &n);
   if (n > MT_MAX_PIPELINE_STAGES)
      return mt_error_coded (c->err, MT_E_LIMIT, 7749501,
                             "pipeline length must be no longer than %d stages",
                             MT_MAX_PIPELINE_STAGES);
   bool named = false; /* the pipeline began with $_mtWith, which may come before $documents */
   c->length = n;
   for (size_t i = 0; i < n; i++) {
      MtDocIter it = mt_doc_iter (list[i]);
      MtStr key;
      MtVal spec;
      c->at = (uint32_t) i;
      if (list[i].type != MT_DOC || mt_doc_count (list[i]) != 1 || !mt_doc_next (&it, &key, &spec))
         return mt_bad (c, 40323,
                        "a pipeline stage specification object must contain exactly one field");
      char *name = mt_strndup (c->arena, key.p, key.n);
      bool sorted = strcmp (name, "$sort") == 0;
      c->stage = "$sort";
      named = named || strcmp (name, "$_mtWith") == 0;
      if (i > named && strcmp (name, "$documents") == 0)
         return mt_bad (c, 40602, "$documents is only valid as the first stage in a pipeline");
      Kept kept = sorted ? kept_after (list, n, i) : (Kept) {0};
      if (sorted ? !mt_stage_sort (c, spec, kept.limit, kept.ties)
                 : !mt_compile_stage (c, name, spec))
         return false;
   }
   return !c->failed;
}
