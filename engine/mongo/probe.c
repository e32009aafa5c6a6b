/* Tests, when a server is opened, which operators and stages it lacks or computes wrongly. Plans
 * then execute these in this process. If the server has all of them, the test takes two round
 * trips. */
#include "engine/mongo/mongo_int.h"

#include <stdio.h>
#include <string.h>

/* Test expressions, which must evaluate to true according to MongoDB's manual. Each tests one
 * operator, in the case that some server is known to compute wrongly (docs/servers.md). */
static const struct {
   const char *name;
   const char *expression;
} operators[] = {
   {"$dateTrunc",
    "{\"$and\": ["
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"hour\"}}, {\"$date\": "
    "{\"$numberLong\": \"1420074000000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"day\"}}, {\"$date\": "
    "{\"$numberLong\": \"1420070400000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"week\", \"startOfWeek\": "
    "\"monday\"}}, {\"$date\": {\"$numberLong\": \"1419811200000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"quarter\", \"timezone\": "
    "\"Asia/Kathmandu\"}}, {\"$date\": {\"$numberLong\": \"1420049700000\"}}]}]}"},
   {"$zip", "{\"$eq\": [{\"$zip\": {\"inputs\": [{\"$ifNull\": [{\"$literal\": [1, 2]}, []]}, "
            "{\"$ifNull\": [{\"$literal\": [3]}, []]}], \"useLongestLength\": true}}, [[1, 3], [2, "
            "null]]]}"},
   {"$regexMatch",
    "{\"$let\": {\"vars\": {\"t\": {\"$toUpper\": \"$s\"}}, \"in\": {\"$regexMatch\": {\"input\": "
    "\"$$t\", \"regex\": \"^A.C\\\\z\", \"options\": \"s\"}}}}"},
   {"$sortArray",
    "{\"$eq\": [{\"$sortArray\": {\"input\": [3, {\"$toDouble\": 1.5}, 2], \"sortBy\": "
    "1}}, [1.5, 2, 3]]}"},
   {MT_REGEX_OF_COMPUTED,
    "{\"$regexMatch\": {\"input\": {\"$toUpper\": \"$s\"}, \"regex\": \"^A.C\\\\z\", \"options\": "
    "\"s\"}}"},
};

static const char values[] =
   "{\"t\": {\"$date\": {\"$numberLong\": \"1420074060000\"}}, \"s\": \"a\\nc\"}";

/* Test pipelines, each of which must return one document. They generate their own input with
 * $documents, which the first of them tests. */
static const struct {
   const char *name;
   const char *pipeline;
} stages[] = {
   {"$documents", "{\"0\": {\"$documents\": [{\"a\": 1}]}}"},
   /* Tests a window of documents, a range window that includes peers (rows with equal sort keys), a
    * shift, and a sum of decimals, over a = 1, 1, 2, 4. The results are checked in the row with i =
    * 3, which must be the last. */
   {"$setWindowFields",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$project\": {\"a\": [1, 1, 2, 4]}}, \"2\": "
    "{\"$unwind\": {\"path\": \"$a\", \"includeArrayIndex\": \"i\"}}, \"3\": {\"$setWindowFields\": "
    "{\"partitionBy\": {\"p0\": {\"$ifNull\": [\"$b\", null]}}, \"sortBy\": {\"a\": 1}, \"output\": {"
    "\"d\": {\"$sum\": {\"$toDecimal\": \"$a\"}, \"window\": {\"documents\": [-1, 1]}}, "
    "\"n\": {\"$sum\": 1, \"window\": {\"documents\": [\"unbounded\", 0]}}, "
    "\"r\": {\"$rank\": {}}, \"e\": {\"$denseRank\": {}}, "
    "\"p\": {\"$sum\": \"$a\", \"window\": {\"range\": [\"unbounded\", 0]}}, "
    "\"q\": {\"$sum\": 1, \"window\": {\"range\": [0, \"unbounded\"]}}, "
    "\"f\": {\"$first\": \"$a\", \"window\": {\"documents\": [1, 2]}}, "
    "\"l\": {\"$last\": \"$a\", \"window\": {\"documents\": [2, 3]}}, "
    "\"s\": {\"$shift\": {\"output\": \"$a\", \"by\": -2, \"default\": 9}}, "
    "\"t\": {\"$shift\": {\"output\": \"$a\", \"by\": 2, \"default\": 9}}}}}, "
    "\"4\": {\"$match\": {\"a\": 2, \"d\": 7, \"n\": 3, \"r\": 3, \"e\": 2, \"p\": 4, \"q\": 2, \"f\": "
    "4, \"l\": null, \"s\": 1, \"t\": 9}}}"},
   {"$densify",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$densify\": {\"field\": \"a\", \"range\": "
    "{\"step\": 1, \"bounds\": \"full\"}}}}"},
   {"$percentile",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$group\": {\"_id\": null, \"x\": "
    "{\"$percentile\": {\"input\": \"$a\", \"p\": [0.5], \"method\": \"approximate\"}}}}}"},
   {"$top",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$group\": {\"_id\": null, \"x\": {\"$top\": "
    "{\"sortBy\": {\"a\": -1}, \"output\": {\"b\": \"$a\"}}}}},"
    " \"2\": {\"$match\": {\"x.b\": 1}}}"},
   {MT_UNION_WITH_DOCUMENTS,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$unionWith\": {\"pipeline\": "
    "[{\"$documents\": [{\"a\": 2}]}]}},"
    " \"2\": {\"$match\": {\"a\": 2}}}"},
   {MT_UNION_WITH_COLLECTION,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$unionWith\": {\"coll\": \"_mtsql_probe\", "
    "\"pipeline\": [{\"$match\": {\"_id\": 1}}, {\"$project\": {\"_id\": 0, \"x\": \"$$ROOT\"}}]}},"
    " \"2\": {\"$match\": {\"a\": 1}}}"},
   {MT_GROUP_OF_DECIMALS,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$project\": {\"a\": [{\"$numberDecimal\": "
    "\"1.5\"}, {\"$numberDecimal\": \"1.50\"}]}},"
    " \"2\": {\"$unwind\": \"$a\"}, \"3\": {\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": 1}}}, "
    "\"4\": {\"$match\": {\"n\": 2}}}"},
   {"$lookup",
    "{\"0\": {\"$documents\": [{\"a\": 1, \"b\": 2}]}, \"1\": {\"$lookup\": {\"from\": "
    "\"_mtsql_probe\", \"localField\": \"a\", \"foreignField\": \"a\", \"let\": {\"b\": \"$b\"},"
    " \"pipeline\": [{\"$match\": {\"$expr\": {\"$eq\": [\"$a\", \"$$b\"]}}}], \"as\": \"r\"}}, "
    "\"2\": {\"$match\": {\"r\": []}}}"},
   {"$fill", "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$fill\": {\"sortBy\": {\"a\": 1}, "
             "\"output\": {\"a\": {\"method\": \"locf\"}}}}}"},
};

#define OPERATORS (sizeof operators / sizeof *operators)
#define STAGES (sizeof stages / sizeof *stages)

static void add_json (bson_t *to, const char *name, const char *text)
{
   bson_t *doc = bson_new_from_json ((const uint8_t *) text, -1, NULL);
   mt_doc_add_doc (to, name, doc);
   bson_destroy (doc);
}

/* Appends three stages that return exactly one document, given as JSON. They work on any
 * collection, even an empty or missing one. */
static void add_one_document (bson_t *pipeline, const char *json)
{
   bson_t *doc = bson_new_from_json ((const uint8_t *) json, -1, NULL);
   MtVal root = mt_v_doc (doc);
   mt_doc_printf (pipeline,
                  "0: {$limit: 1}, 1: {$facet: {none: [{$limit: 1}]}}, "
                  "2: {$replaceRoot: {newRoot: %p}}",
                  (void *) &root);
   bson_destroy (doc);
}

/* Builds in *pipeline a pipeline that evaluates the test expressions `first` to `end` - 1. */
static void evaluate (size_t first, size_t end, bson_t *pipeline)
{
   bson_t stage, project;
   bson_init (pipeline);
   add_one_document (pipeline, values);
   mt_doc_begin (pipeline, "3", &stage);
   mt_doc_begin (&stage, "$project", &project);
   for (size_t i = first; i < end; i++)
      add_json (&project, operators[i].name + 1, operators[i].expression);
   mt_doc_end (&stage, &project);
   mt_doc_end (pipeline, &stage);
}

static bool is_true (const bson_t *doc, const char *name)
{
   bson_iter_t it;
   return doc && bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_BOOL (&it) &&
          bson_iter_bool (&it);
}

/* Appends the names of operators that the server lacks to `lacking`, and returns their number.
 * Tests all in one pipeline; only if the server refuses that pipeline, tests each operator
 * separately. */
static size_t probe_operators (MtMongo *m, const char **lacking)
{
   bson_t pipeline;
   MtError ignored;
   size_t n = 0;
   mt_error_clear (&ignored);
   evaluate (0, OPERATORS, &pipeline);
   bson_t *all = mt_mongo_run_for_one (m, "_mtsql_probe", &pipeline, &ignored);
   bson_destroy (&pipeline);
   for (size_t i = 0; i < OPERATORS; i++) {
      bson_t *own = NULL;
      if (!all) {
         mt_error_clear (&ignored);
         evaluate (i, i + 1, &pipeline);
         own = mt_mongo_run_for_one (m, "_mtsql_probe", &pipeline, &ignored);
         bson_destroy (&pipeline);
      }
      if (!is_true (all ? all : own, operators[i].name + 1))
         lacking[n++] = operators[i].name;
      bson_destroy (own);
   }
   bson_destroy (all);
   return n;
}

/* Appends the names of stages that the server lacks to `lacking`. Tests the first `count` stages,
 * each by its own pipeline. */
static void probe_stages (MtMongo *m, size_t count, const char **lacking)
{
   size_t n = 0;
   for (size_t i = 0; i < count; i++) {
      MtError ignored;
      mt_error_clear (&ignored);
      bson_t *pipeline = bson_new_from_json ((const uint8_t *) stages[i].pipeline, -1, NULL);
      bson_t *doc = mt_mongo_run_for_one (m, NULL, pipeline, &ignored);
      if (!doc)
         lacking[n++] = stages[i].name;
      bson_destroy (doc);
      bson_destroy (pipeline);
   }
}

/* Appends a $unionWith that runs the test pipeline of a stage. Its input is made without
 * $documents. */
static void add_union (bson_t *pipeline, const char *stages_of_arm)
{
   bson_t stage = BSON_INITIALIZER, arm = BSON_INITIALIZER;
   bson_iter_t it;
   bson_t *from = bson_new_from_json ((const uint8_t *) stages_of_arm, -1, NULL);
   add_one_document (&arm, "{\"a\": 1}");
   if (bson_iter_init (&it, from) && bson_iter_next (&it))
      while (bson_iter_next (&it))
         mt_doc_push (&arm, mt_v_from_iter (&it));
   MtVal own = mt_v_array (&arm);
   mt_doc_printf (&stage, "$unionWith: {coll: '_mtsql_probe', pipeline: %p}", (void *) &own);
   mt_doc_push (pipeline, mt_v_doc (&stage));
   bson_destroy (from);
   bson_destroy (&arm);
   bson_destroy (&stage);
}

/* Tests all operators and all stages except $documents in one round trip. Returns whether the
 * server has them all: the result has one document for each stage, and the first document has the
 * results of the operators. */
static bool has_all (MtMongo *m)
{
   bson_t pipeline;
   const bson_t *doc = NULL;
   MtCursor *c;
   size_t n = 0;
   bool all = false;
   evaluate (0, OPERATORS, &pipeline);
   for (size_t i = 1; i < STAGES; i++)
      add_union (&pipeline, stages[i].pipeline);
   MtAggregateArgs args = {.collection = "_mtsql_probe", .pipeline = &pipeline};
   if (mt_engine_aggregate (&m->base, &args, &c, NULL)) {
      all = true;
      for (; mt_cursor_next (c, &doc, NULL) && doc; n++)
         for (size_t i = 0; n == 0 && i < OPERATORS; i++)
            all = all && is_true (doc, operators[i].name + 1);
      mt_cursor_free (c);
   }
   bson_destroy (&pipeline);
   return all && n == STAGES;
}

void mt_mongo_probe (MtMongo *m)
{
   const char **lacking = MT_NEW_N (m->base.arena, const char *, OPERATORS + STAGES + 1);
   m->base.caps.lacking = lacking;
   bool all = has_all (m);
   size_t n = all ? 0 : probe_operators (m, lacking);
   probe_stages (m, all ? 1 : STAGES, lacking + n);
}
