/* A pipeline becomes a chain of nodes: one row and one function a stage. */
#include "engine/local/exec/exec.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

/* ---- $match ---- */

typedef struct MatchNode {
   MtExecNode n;
   MtMatch *match;
   const MtExecVar
      *verify; /* the stored document, when what passes is needed whole; NULL: nothing to verify */
} MatchNode;

static MtFlow match_push (const MtExecNode *n, MtWork *w)
{
   w->count[n->id].in++;
   const MatchNode *m = (const MatchNode *) n;
   int yes = mt_match_row (m->match, w);
   if (yes <= 0)
      return yes < 0 ? MT_FAIL : MT_GO;
   if (m->verify) {
      MtVal doc = w->slots[m->verify->slot];
      w->count[n->id].bytes += doc.len;
      if (!mt_need (&w->reader, doc.p, doc.len))
         return MT_FAIL;
   }
   return mt_next (n, w);
}

/* Documents that a leading $match rejects are not verified as a whole: the last such stage does it
 * for those that pass. */
static void match_seal (MtExecNode *n, MtCompile *c)
{
   MtExec *x = c->exec;
   uint32_t i = 0;
   if (!c->scan || !c->scan->whole || c->slots[c->scan->slot].first <= n->pos)
      return;
   while (i < x->node_count && x->nodes[i]->seal == match_seal && x->nodes[i] != n)
      i++;
   if (x->nodes[i] != n || (i + 1 < x->node_count && x->nodes[i + 1]->seal == match_seal))
      return;
   ((MatchNode *) n)->verify = c->scan;
   x->verify_later = true;
}

static void add_prune (MtCompile *c, MtMatch *m)
{
   MtMatch *both = MT_NEW (c->arena, MtMatch);
   both->kind = MT_M_AND;
   both->kids = MT_NEW_N (c->arena, MtMatch *, 2);
   both->kids[both->count++] = m;
   if (c->prune)
      both->kids[both->count++] = c->prune;
   c->prune = both;
}

bool mt_stage_match (MtCompile *c, MtVal spec)
{
   MtMatch *m = mt_match_parse (c, spec);
   if (!m || !mt_match_bind (c, m, c->root, (int) c->node_count))
      return false;
   MatchNode *n = (MatchNode *) mt_node_new (c, sizeof *n, NULL, match_push);
   n->match = m;
   n->n.seal = match_seal;
   MtVal only = mt_doc_count (spec) == 1 ? mt_doc_get (spec, "$expr", 5) : mt_v_missing ();
   if (only.type == MT_BOOL && !only.i)
      c->shut = &n->n;
   if (c->scan && c->root->kind == MT_SH_PATH && c->root->var == c->scan &&
       c->root->path.count == 0)
      add_prune (c, m);
   return true;
}

/* ---- the table ---- */

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

#define STAGES (sizeof stages / sizeof *stages - 1)

const MtStageRow *mt_exec_stage_row (size_t index)
{
   return index < STAGES ? &stages[index] : NULL;
}

bool mt_compile_stage (MtCompile *c, const char *name, MtVal spec)
{
   const char *names[STAGES];
   for (size_t i = 0; i < STAGES; i++) {
      names[i] = stages[i].name;
      if (strcmp (name, names[i]) == 0) {
         c->stage = names[i];
         return stages[i].compile (c, spec) && !c->failed;
      }
   }
   mt_error (c->err, MT_E_FEATURE, "unrecognized pipeline stage name: \"%s\"", name);
   const char *near = mt_nearest (name, names, STAGES);
   if (near)
      mt_error_hint (c->err, "Perhaps you meant \"%s\".", near);
   return false;
}

/* {"$sort": …} followed by {"$limit": n} keeps only n rows. */
static uint64_t limit_after (const MtVal *list, size_t n, size_t i)
{
   if (i + 1 >= n || list[i + 1].type != MT_DOC)
      return 0;
   MtVal v = mt_doc_get (list[i + 1], "$limit", 6);
   if (v.type == MT_DOUBLE && v.d >= 1 && v.d < 1e15)
      return (uint64_t) v.d;
   return (v.type == MT_INT32 || v.type == MT_INT64) && v.i > 0 ? (uint64_t) v.i : 0;
}

/* {"$sort": …}, [{"$skip": m},] {"$_mtLimitTies": {"limit": n, …}} keeps m + n rows, and those that
 * sort like the last of them. */
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
   bool named = false; /* such a stage may come before */
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
