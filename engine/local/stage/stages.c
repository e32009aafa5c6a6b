/* The table of stages, with one row for each stage. mt_exec_open passes the table to the
 * compiler, so that stages which open pipelines do not depend on this file. */
#include "engine/local/stage/stage.h"
#include "engine/local/exec/run.h"
#include "engine/local/stage/stage_int.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

static bool project (MtCompile *c, MtVal v) { return mt_stage_project (c, v); }
static bool sort (MtCompile *c, MtVal v) { return mt_stage_sort (c, v, 0, 0); }

static bool replace_root (MtCompile *c, MtVal v)
{
   MtVal new_root = v.type == MT_DOC ? mt_doc_field (v, "newRoot") : mt_v_missing ();
   if (new_root.type == MT_MISSING || mt_doc_count (v) != 1)
      return mt_bad (c,
                     MT_CODE_IF ({v.type != MT_DOC, MT_CODE_FAILED_TO_PARSE},
                                 {new_root.type == MT_MISSING, 40414}, {true, 40415}),
                     "$replaceRoot needs an object with newRoot");
   MtExecExpr *e = mt_expr_parse (c, new_root);
   return e && mt_stage_replace (c, e);
}

static bool replace_with (MtCompile *c, MtVal v)
{
   MtExecExpr *e = mt_expr_parse (c, v);
   return e && mt_stage_replace (c, e);
}

/* $out and $merge as the last stage of a pipeline are not compiled, but opened by mt_writing_open. */
static bool not_last (MtCompile *c, MtVal v)
{
   (void) v;
   return mt_bad (c, 40601, "%s can only be the final stage in the pipeline", c->stage);
}

static const MtStageRow stages[] = {
   {"$match", mt_stage_match},
   {"$project", project},
   {"$addFields", mt_stage_add_fields},
   {"$set", mt_stage_add_fields},
   {"$unset", mt_stage_unset},
   {"$replaceRoot", replace_root},
   {"$replaceWith", replace_with},
   {"$unwind", mt_stage_unwind},
   {"$group", mt_stage_group},
   {"$sort", sort},
   {"$limit", mt_stage_limit},
   /* the first documents, and those that are like the last of them */
   {"$_mtLimitTies", mt_stage_limit_ties},
   /* documents until each of some fields has been true in one of them */
   {"$_mtUntil", mt_stage_until},
   {"$skip", mt_stage_skip},
   {"$count", mt_stage_count},
   {"$sortByCount", mt_stage_sort_by_count},
   {"$bucket", mt_stage_bucket},
   {"$bucketAuto", mt_stage_bucket_auto},
   {"$unionWith", mt_stage_union},
   /* adds what a pipeline makes of the documents, and of what it made, until it makes nothing */
   {"$_mtRecursive", mt_stage_recursive},
   /* names pipelines that $_mtRead stages read, and that run once at most */
   {"$_mtWith", mt_stage_with},
   /* the documents of a $_mtWith stage, instead of each that comes in */
   {"$_mtRead", mt_stage_read},
   {"$lookup", mt_stage_lookup},
   {"$graphLookup", mt_stage_graph_lookup},
   /* pairs of rows with those of another pipeline */
   {"$_mtJoin", mt_stage_join},
   /* pairs of rows with those that a pipeline makes for each of them */
   {"$_mtApply", mt_stage_apply},
   /* each row of a sorted list with the last of another kind before it */
   {"$_mtAsof", mt_stage_asof},
   /* values from one to another */
   {"$_mtSeries", mt_stage_series},
   /* documents given in the pipeline itself, instead of each that comes in */
   {"$_mtTable", mt_stage_table},
   {"$facet", mt_stage_facet},
   {"$sample", mt_stage_sample},
   /* window functions over sorted documents */
   {"$_mtWindow", mt_stage_window},
   {"$setWindowFields", mt_stage_set_window_fields},
   {"$densify", mt_stage_densify},
   {"$fill", mt_stage_fill},
   {"$redact", mt_stage_redact},
   {"$documents", mt_stage_documents},
   {"$out", not_last},
   {"$merge", not_last},
   {0}};

bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err)
{
   MtExecArgs with = *args;
   MtTextOrder *order = NULL;
   with.stages = stages;
   if (args->collation.type == MT_DOC && !mt_collation_open (args->collation, &order, err))
      return false;
   with.order = order;
   if (!mt_exec_open_with (&with, NULL, NULL, out, err)) {
      mt_collation_free (order);
      return false;
   }
   mt_arena_defer (((MtExec *) *out)->arena, mt_collation_free, order);
   return true;
}

bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err)
{
   MtExecArgs args = {.next = next, .next_ctx = ctx, .pipeline = pipeline, .cancel = cancel};
   return mt_exec_open (&args, out, err);
}
