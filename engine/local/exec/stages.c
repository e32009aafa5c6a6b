/* The table of stages, with one row for each stage. mt_exec_open passes the table to the
 * compiler, so that stages which open pipelines do not depend on this file. */
#include "engine/local/exec/exec.h"
#include "engine/local/exec/run.h"
#include "engine/local/exec/stages.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

static bool project (MtCompile *c, MtVal v) { return mt_stage_project (c, v); }
static bool sort (MtCompile *c, MtVal v) { return mt_stage_sort (c, v, 0, 0); }

static bool replace_root (MtCompile *c, MtVal v)
{
   MtVal new_root = v.type == MT_DOC ? mt_doc_get (v, "newRoot", 7) : mt_v_missing ();
   if (new_root.type == MT_MISSING || mt_doc_count (v) != 1)
      return mt_bad (c, "$replaceRoot needs an object with newRoot");
   MtExecExpr *e = mt_expr_parse (c, new_root);
   return e && mt_stage_replace (c, e);
}

static bool replace_with (MtCompile *c, MtVal v)
{
   MtExecExpr *e = mt_expr_parse (c, v);
   return e && mt_stage_replace (c, e);
}

static const MtStageRow stages[] = {
   {"$match", mt_stage_match, "keeps the documents that match a query",
    "{\"$match\": {\"a\": {\"$gt\": 1}}}"},
   {"$project", project, "includes, excludes and computes fields",
    "{\"$project\": {\"a\": 1, \"b\": {\"$add\": [\"$c\", 1]}}}"},
   {"$addFields", mt_stage_add_fields, "adds or replaces fields",
    "{\"$addFields\": {\"b\": \"$a\"}}"},
   {"$set", mt_stage_add_fields, "the same as $addFields", "{\"$set\": {\"b\": \"$a\"}}"},
   {"$unset", mt_stage_unset, "removes fields", "{\"$unset\": [\"a\", \"b.c\"]}"},
   {"$replaceRoot", replace_root, "makes an expression the document",
    "{\"$replaceRoot\": {\"newRoot\": \"$a\"}}"},
   {"$replaceWith", replace_with, "the same as $replaceRoot", "{\"$replaceWith\": \"$a\"}"},
   {"$unwind", mt_stage_unwind, "one document for each element of an array",
    "{\"$unwind\": \"$a\"}"},
   {"$group", mt_stage_group, "groups by a key and accumulates",
    "{\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": 1}}}"},
   {"$sort", sort, "orders the documents", "{\"$sort\": {\"a\": 1, \"b\": -1}}"},
   {"$limit", mt_stage_limit, "the first documents", "{\"$limit\": 5}"},
   {"$_mtLimitTies", mt_stage_limit_ties,
    "the first documents, and those that are like the last of them",
    "{\"$_mtLimitTies\": {\"limit\": 2, \"by\": [\"a\"]}}"},
   {"$_mtUntil", mt_stage_until,
    "documents until each of some fields has been true in one of them (mtsql's own)",
    "{\"$_mtUntil\": [\"a\", \"b\"]}"},
   {"$skip", mt_stage_skip, "all but the first documents", "{\"$skip\": 5}"},
   {"$count", mt_stage_count, "the number of documents", "{\"$count\": \"n\"}"},
   {"$sortByCount", mt_stage_sort_by_count, "the values of an expression, most frequent first",
    "{\"$sortByCount\": \"$a\"}"},
   {"$bucket", mt_stage_bucket, "groups by ranges",
    "{\"$bucket\": {\"groupBy\": \"$a\", \"boundaries\": [0, 5, 10], \"default\": \"other\"}}"},
   {"$unionWith", mt_stage_union, "adds another collection's documents",
    "{\"$unionWith\": {\"coll\": \"b\", \"pipeline\": []}}"},
   {"$_mtRecursive", mt_stage_recursive,
    "adds what a pipeline makes of the documents, and of what it made, until it makes nothing",
    "{\"$_mtRecursive\": {\"as\": \"w\", \"all\": true, \"pipeline\": [{\"$match\": {\"a\": {\"$lt\": 3}}}, {\"$project\": {\"a\": {\"$add\": [\"$a\", 1]}}}]}}"},
   {"$_mtWith", mt_stage_with,
    "names pipelines that $_mtRead stages read, and that run once at most; only as the first stage (mtsql's own)",
    "{\"$_mtWith\": [{\"name\": \"w\", \"pipeline\": [{\"$documents\": [{\"a\": 1}]}]}]}"},
   {"$_mtRead", mt_stage_read,
    "the documents of a $_mtWith stage, instead of each that comes in (mtsql's own)",
    "{\"$_mtRead\": {\"name\": \"w\"}}"},
   {"$lookup", mt_stage_lookup, "joins another collection's documents as an array",
    "{\"$lookup\": {\"from\": \"b\", \"localField\": \"x\", \"foreignField\": \"y\", \"as\": \"z\"}}"},
   {"$_mtJoin", mt_stage_join, "pairs of rows with those of another pipeline (mtsql's own)",
    "{\"$_mtJoin\": {\"coll\": \"b\", \"pipeline\": [], \"left\": [\"$x\"], \"right\": [\"$y\"], \"input\": [\"x\"], \"fields\": [\"y\", \"z\"]}}"},
   {"$_mtApply", mt_stage_apply,
    "pairs of rows with those that a pipeline makes for each of them (mtsql's own)",
    "{\"$_mtApply\": {\"let\": {\"o1\": \"$x\"}, \"coll\": \"b\", \"prepare\": [], \"pipeline\": [{\"$match\": {\"$expr\": {\"$lt\": [\"$y\", \"$$o1\"]}}}], "
    "\"input\": [\"x\"], \"fields\": [\"y\"]}}"},
   {"$_mtAsof", mt_stage_asof,
    "each row of a sorted list with the last of another kind before it (mtsql's own)",
    "{\"$_mtAsof\": {\"keys\": [\"$k\"], \"time\": \"$t\", \"other\": \"$o\", \"input\": [\"t\"], \"fields\": [\"y\"]}}"},
   {"$_mtSeries", mt_stage_series, "values from one to another (mtsql's own)",
    "{\"$_mtSeries\": {\"start\": 1, \"stop\": 5, \"next\": {\"$add\": [\"$n\", 2]}, \"as\": \"n\"}}"},
   {"$_mtTable", mt_stage_table,
    "documents given in the pipeline itself, instead of each that comes in (mtsql's own)",
    "{\"$_mtTable\": {\"name\": \"t\", \"documents\": [{\"a\": 1}, {\"a\": 2}]}}"},
   {"$facet", mt_stage_facet, "several pipelines over the same documents",
    "{\"$facet\": {\"n\": [{\"$count\": \"n\"}]}}"},
   {"$sample", mt_stage_sample, "documents drawn at random", "{\"$sample\": {\"size\": 3}}"},
   {"$_mtWindow", mt_stage_window, "window functions over sorted documents",
    "{\"$_mtWindow\": {\"partitionBy\": [\"$a\"], \"sortBy\": [\"$b\"], \"windows\": [{\"output\": {\"n\": {\"$rowNumber\": {}}}}]}}"},
   {"$documents", mt_stage_documents,
    "documents given in the pipeline itself; only as the first stage",
    "{\"$documents\": [{\"a\": 1}]}"},
   {0}};

const MtStageRow *mt_exec_stage_row (size_t index)
{
   return index < sizeof stages / sizeof *stages - 1 ? &stages[index] : NULL;
}

bool mt_exec_open (const MtExecArgs *args, MtCursor **out, MtError *err)
{
   MtExecArgs with = *args;
   with.stages = stages;
   return mt_exec_open_with (&with, NULL, NULL, out, err);
}

bool mt_local_aggregate_over (MtNextDoc next, void *ctx, const bson_t *pipeline,
                              const MtCancel *cancel, MtCursor **out, MtError *err)
{
   MtExecArgs args = {.next = next, .next_ctx = ctx, .pipeline = pipeline, .cancel = cancel};
   return mt_exec_open (&args, out, err);
}
