/* Finding out, when a server is opened, which operators and stages it lacks or gets wrong. Plans
 * run these in process. If the server lacks none, the test takes two round trips. */
#include "engine/mongo/mongo_int.h"

#include <stdio.h>
#include <string.h>

/* Test expressions, which must be true by MongoDB's manual. Each tests an operator, in the case
 * that some server is known to get wrong (docs/servers.md). */
static const struct {
   const char *name;
   const char *expression;
} operators[] = {
   {"$dateTrunc",
    "{\"$and\": ["
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"hour\"}}, {\"$date\": {\"$numberLong\": \"1420074000000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"day\"}}, {\"$date\": {\"$numberLong\": \"1420070400000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"week\", \"startOfWeek\": \"monday\"}}, {\"$date\": {\"$numberLong\": \"1419811200000\"}}]},"
    "{\"$eq\": [{\"$dateTrunc\": {\"date\": \"$t\", \"unit\": \"quarter\", \"timezone\": \"Asia/Kathmandu\"}}, {\"$date\": {\"$numberLong\": \"1420049700000\"}}]}]}"},
   {"$zip",
    "{\"$eq\": [{\"$zip\": {\"inputs\": [{\"$ifNull\": [{\"$literal\": [1, 2]}, []]}, {\"$ifNull\": [{\"$literal\": [3]}, []]}], \"useLongestLength\": true}}, [[1, 3], [2, null]]]}"},
   {"$regexMatch",
    "{\"$regexMatch\": {\"input\": {\"$toUpper\": \"$s\"}, \"regex\": \"^A.C\\\\z\", \"options\": \"s\"}}"},
};

static const char values[] =
   "{\"t\": {\"$date\": {\"$numberLong\": \"1420074060000\"}}, \"s\": \"a\\nc\"}";

/* Test pipelines, each of which must return one document. They make their own documents. The first
 * tests $documents, which the others need. */
static const struct {
   const char *name;
   const char *pipeline;
} stages[] = {
   {"$documents", "{\"0\": {\"$documents\": [{\"a\": 1}]}}"},
   {"$setWindowFields",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$setWindowFields\": {\"sortBy\": {\"a\": 1}, \"output\": {\"x\": {\"$sum\": \"$a\"}}}}}"},
   {"$densify",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$densify\": {\"field\": \"a\", \"range\": {\"step\": 1, \"bounds\": \"full\"}}}}"},
   {"$percentile",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$group\": {\"_id\": null, \"x\": {\"$percentile\": {\"input\": \"$a\", \"p\": [0.5], \"method\": \"approximate\"}}}}}"},
   {"$top",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$group\": {\"_id\": null, \"x\": {\"$top\": {\"sortBy\": {\"a\": -1}, \"output\": {\"b\": \"$a\"}}}}},"
    " \"2\": {\"$match\": {\"x.b\": 1}}}"},
   {MT_UNION_WITH_DOCUMENTS,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$unionWith\": {\"pipeline\": [{\"$documents\": [{\"a\": 2}]}]}},"
    " \"2\": {\"$match\": {\"a\": 2}}}"},
   {MT_UNION_WITH_COLLECTION,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$unionWith\": {\"coll\": \"_mtsql_probe\", \"pipeline\": [{\"$match\": {\"_id\": 1}}, {\"$project\": {\"_id\": 0, \"x\": \"$$ROOT\"}}]}},"
    " \"2\": {\"$match\": {\"a\": 1}}}"},
   {MT_GROUP_OF_DECIMALS,
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$project\": {\"a\": [{\"$numberDecimal\": \"1.5\"}, {\"$numberDecimal\": \"1.50\"}]}},"
    " \"2\": {\"$unwind\": \"$a\"}, \"3\": {\"$group\": {\"_id\": \"$a\", \"n\": {\"$sum\": 1}}}, \"4\": {\"$match\": {\"n\": 2}}}"},
   {"$lookup",
    "{\"0\": {\"$documents\": [{\"a\": 1, \"b\": 2}]}, \"1\": {\"$lookup\": {\"from\": \"_mtsql_probe\", \"localField\": \"a\", \"foreignField\": \"a\", \"let\": {\"b\": \"$b\"},"
    " \"pipeline\": [{\"$match\": {\"$expr\": {\"$eq\": [\"$a\", \"$$b\"]}}}], \"as\": \"r\"}}, \"2\": {\"$match\": {\"r\": []}}}"},
   {"$fill",
    "{\"0\": {\"$documents\": [{\"a\": 1}]}, \"1\": {\"$fill\": {\"sortBy\": {\"a\": 1}, \"output\": {\"a\": {\"method\": \"locf\"}}}}}"},
};

#define OPERATORS (sizeof operators / sizeof *operators)
#define STAGES (sizeof stages / sizeof *stages)

static bool add_json (bson_t *to, const char *key, const char *text)
{
   bson_t *doc = bson_new_from_json ((const uint8_t *) text, -1, NULL);
   bool ok = doc && BSON_APPEND_DOCUMENT (to, key, doc);
   bson_destroy (doc);
   return ok;
}

/* Appends three stages that return one document, given as JSON, for any collection, even an empty
 * or missing one. */
static bool add_one_document (bson_t *pipeline, const char *json)
{
   bson_t stage, root;
   bool ok = add_json (pipeline, "0", "{\"$limit\": 1}") &&
             add_json (pipeline, "1", "{\"$facet\": {\"none\": [{\"$limit\": 1}]}}");
   BSON_APPEND_DOCUMENT_BEGIN (pipeline, "2", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$replaceRoot", &root);
   ok = add_json (&root, "newRoot", json) && ok;
   bson_append_document_end (&stage, &root);
   bson_append_document_end (pipeline, &stage);
   return ok;
}

/* Appends stages to a pipeline that evaluate the test expressions from `first` to end - 1. */
static bool evaluate (size_t first, size_t end, bson_t *pipeline)
{
   bson_t stage, project;
   bson_init (pipeline);
   bool ok = add_one_document (pipeline, values);
   BSON_APPEND_DOCUMENT_BEGIN (pipeline, "3", &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$project", &project);
   for (size_t i = first; i < end; i++)
      ok = add_json (&project, operators[i].name + 1, operators[i].expression) && ok;
   bson_append_document_end (&stage, &project);
   bson_append_document_end (pipeline, &stage);
   return ok;
}

static bool is_true (const bson_t *doc, const char *name)
{
   bson_iter_t it;
   return doc && bson_iter_init_find (&it, doc, name) && BSON_ITER_HOLDS_BOOL (&it) &&
          bson_iter_bool (&it);
}

/* Adds the operators that the server lacks to `lacking`, and returns their number. Tests all in one
 * pipeline. If the server refuses the pipeline, tests them one by one. */
static size_t probe_operators (MtMongo *m, const char **lacking)
{
   bson_t pipeline;
   MtError ignored;
   size_t n = 0;
   mt_error_clear (&ignored);
   if (!evaluate (0, OPERATORS, &pipeline))
      abort ();
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

/* Adds those of the first `count` test stages that the server lacks to `lacking`. */
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

/* Appends a $unionWith that runs a stage's test pipeline. Its documents are made without
 * $documents. */
static bool add_union (bson_t *pipeline, const char *stages_of_arm)
{
   char key[MT_INDEX_SIZE];
   bson_t stage, body, arm;
   bson_iter_t it;
   bson_t *from = bson_new_from_json ((const uint8_t *) stages_of_arm, -1, NULL);
   bson_append_document_begin (pipeline, mt_index_key (bson_count_keys (pipeline), key), -1,
                               &stage);
   BSON_APPEND_DOCUMENT_BEGIN (&stage, "$unionWith", &body);
   BSON_APPEND_UTF8 (&body, "coll", "_mtsql_probe");
   BSON_APPEND_ARRAY_BEGIN (&body, "pipeline", &arm);
   bool ok = add_one_document (&arm, "{\"a\": 1}") && from && bson_iter_init (&it, from) &&
             bson_iter_next (&it);
   for (unsigned n = 3; ok && bson_iter_next (&it); n++)
      ok = bson_append_iter (&arm, mt_index_key (n, key), -1, &it);
   bson_append_array_end (&body, &arm);
   bson_append_document_end (&stage, &body);
   bson_append_document_end (pipeline, &stage);
   bson_destroy (from);
   return ok;
}

/* Tests all operators and stages except $documents in one round trip. True: the server lacks none.
 * It then returns a document for each stage, and the operators' results in the first. */
static bool has_all (MtMongo *m)
{
   bson_t pipeline;
   const bson_t *doc = NULL;
   MtCursor *c;
   size_t n = 0;
   bool all = evaluate (0, OPERATORS, &pipeline);
   for (size_t i = 1; i < STAGES && all; i++)
      all = add_union (&pipeline, stages[i].pipeline);
   MtAggregateArgs args = {.collection = "_mtsql_probe", .pipeline = &pipeline};
   if (all && mt_engine_aggregate (&m->base, &args, &c, NULL)) {
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
