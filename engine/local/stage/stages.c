/* The table of stages: for each stage name, the function that compiles it. mt_exec_open passes the
 * table to the compiler. So stages that open pipelines of their own ($lookup) do not depend on this
 * file. */
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

/* Reports that $out or $merge is not the last stage. (As the last stage they never get here,
 * because mt_writing_open removes and executes them.) */
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
   /* the first n documents, and the further ones whose sort key equals that of the n-th document */
   {"$_mtLimitTies", mt_stage_limit_ties},
   /* passes documents on until each of the given fields has been true in at least one document */
   {"$_mtUntil", mt_stage_until},
   {"$skip", mt_stage_skip},
   {"$count", mt_stage_count},
   {"$sortByCount", mt_stage_sort_by_count},
   {"$bucket", mt_stage_bucket},
   {"$bucketAuto", mt_stage_bucket_auto},
   {"$unionWith", mt_stage_union},
   /* recursive query: runs a pipeline over the documents, then over its own results, until it
    * returns none */
   {"$_mtRecursive", mt_stage_recursive},
   /* defines named pipelines, whose documents $_mtRead stages read; each runs at most once */
   {"$_mtWith", mt_stage_with},
   /* ignores the input, and returns the documents of a pipeline that a $_mtWith stage defined */
   {"$_mtRead", mt_stage_read},
   {"$lookup", mt_stage_lookup},
   {"$graphLookup", mt_stage_graph_lookup},
   /* join: pairs each document with the matching documents of another pipeline */
   {"$_mtJoin", mt_stage_join},
   /* lateral join: pairs each document with the documents that a pipeline returns for it */
   {"$_mtApply", mt_stage_apply},
   /* as-of join: in a sorted list of two kinds of rows, pairs each row with the last preceding row
    * of the other kind */
   {"$_mtAsof", mt_stage_asof},
   /* generate_series: the values from a start to an end */
   {"$_mtSeries", mt_stage_series},
   /* ignores the input, and returns documents that are written in the stage itself */
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
