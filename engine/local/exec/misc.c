/* The stages $limit, $skip, $count, $sortByCount, $bucket, $sample and $documents. Where possible,
 * a stage is rewritten to other stages. */
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"
#include "engine/local/exec/stages.h"

#include <stdlib.h>

typedef struct CountedNode {
   MtExecNode n;
   uint64_t limit;
} CountedNode;

static uint64_t *counter (const MtExecNode *n, MtWork *w)
{
   if (!w->state[n->id])
      w->state[n->id] = mt_x_calloc (1, sizeof (uint64_t));
   return w->state[n->id];
}

static void counter_drop (const MtExecNode *n, MtWork *w)
{
   free (w->state[n->id]);
   w->state[n->id] = NULL;
}

static MtFlow limit_push (const MtExecNode *n, MtWork *w)
{
   uint64_t *seen = counter (n, w), limit = ((const CountedNode *) n)->limit;
   w->count[n->id].in++;
   if (*seen >= limit)
      return mt_stop (n, w);
   ++*seen;
   MtFlow flow = mt_next (n, w);
   return flow == MT_GO && *seen >= limit ? mt_stop (n, w) : flow;
}

static MtFlow skip_push (const MtExecNode *n, MtWork *w)
{
   uint64_t *seen = counter (n, w);
   w->count[n->id].in++;
   return ++*seen <= ((const CountedNode *) n)->limit ? MT_GO : mt_next (n, w);
}

static bool whole (MtVal v, int64_t *out)
{
   if (v.type == MT_INT32 || v.type == MT_INT64)
      *out = v.i;
   else if (v.type == MT_DOUBLE && v.d > -9e18 && v.d < 9e18 && v.d == (double) (int64_t) v.d)
      *out = (int64_t) v.d;
   else
      return false;
   return true;
}

static bool counted (MtCompile *c, MtVal spec, int64_t least,
                     MtFlow (*push) (const MtExecNode *, MtWork *))
{
   int64_t limit = -1;
   if (!whole (spec, &limit) || limit < least)
      return mt_bad (c, MT_CODE_IF ({!least, 5107200}, {limit != 0, 5107201}, {true, 15958}),
                     "invalid argument to %s stage: expected a %s number", c->stage,
                     least ? "positive" : "non-negative");
   CountedNode *n = (CountedNode *) mt_node_new (c, sizeof *n, NULL, push);
   n->limit = (uint64_t) limit;
   n->n.serial = true;
   n->n.drop = counter_drop;
   return true;
}

bool mt_stage_limit (MtCompile *c, MtVal spec) { return counted (c, spec, 1, limit_push); }

bool mt_stage_skip (MtCompile *c, MtVal spec) { return counted (c, spec, 0, skip_push); }

/* ---- stages that are rewritten to other stages ---- */

/* Ends the specification in b, and compiles the stage {name: b}. */
static bool run (MtCompile *c, const char *name, MtBson *b)
{
   mt_bson_end (b, 0);
   MtVal v = mt_bson_part (b, 0, MT_DOC);
   const char *stage = c->stage;
   if (!mt_memory_check (c->err))
      return false;
   bool ok = strcmp (name, "$sort") == 0 ? mt_stage_sort (c, v, 0, 0)
                                         : mt_compile_stage (c, name, v);
   c->stage = stage;
   return ok;
}

static MtBson begin (MtCompile *c)
{
   MtBson b = {.arena = c->arena};
   mt_bson_begin (&b);
   return b;
}

/* Compiles the stage {name: {key: v}}. */
static bool run_one (MtCompile *c, const char *name, const char *key, MtVal v)
{
   MtBson b = begin (c);
   mt_bson_put (&b, key, v);
   return run (c, name, &b);
}

/* Appends a field {name: {operator: v}} to b. */
static void put_call (MtBson *b, const char *name, const char *operator, MtVal v)
{
   mt_bson_printf (b, "%s: {%s: %p}", name, operator, (void *) & v);
}

bool mt_stage_count (MtCompile *c, MtVal spec)
{
   MtStr text = {(const char *) spec.p, spec.type == MT_STRING ? spec.len : 0};
   int32_t wrong = MT_CODE_IF ({spec.type != MT_STRING, 40156}, {!text.n, 40157},
                               {text.n && *text.p == '$', 40158},
                               {text.n && memchr (text.p, 0, text.n), 40159},
                               {text.n && memchr (text.p, '.', text.n), 40160});
   if (wrong)
      return mt_bad (
         c, wrong,
         "the count field must be a non-empty string without '$' at its start and without '.'");
   char *name = mt_strndup (c->arena, (const char *) spec.p, spec.len);
   if (strcmp (name, "_id") == 0)
      return mt_bad (c, 9039800, "the count field cannot be _id");
   MtBson group = begin (c);
   mt_bson_put (&group, "_id", mt_v_null ());
   put_call (&group, name, "$sum", mt_v_int32 (1));
   return run (c, "$group", &group) && run_one (c, "$project", "_id", mt_v_bool (false));
}

bool mt_stage_sort_by_count (MtCompile *c, MtVal spec)
{
   bool path = spec.type == MT_STRING && spec.len && spec.p[0] == '$';
   MtDocIter it = mt_doc_iter (spec);
   MtStr key = {"", 0};
   MtVal v;
   bool op = spec.type == MT_DOC && mt_doc_next (&it, &key, &v) && key.n && key.p[0] == '$';
   if (!path && !op)
      return mt_bad (
         c,
         MT_CODE_IF ({spec.type == MT_DOC, 40147}, {spec.type == MT_STRING, 40148}, {true, 40149}),
         "the sortByCount field must be defined as a $-prefixed path or an expression inside an "
         "object");
   MtBson group = begin (c);
   mt_bson_put (&group, "_id", spec);
   put_call (&group, "count", "$sum", mt_v_int32 (1));
   return run (c, "$group", &group) && run_one (c, "$sort", "count", mt_v_int32 (-1));
}

/* ---- $bucket: a $switch as the key ---- */

/* Appends {case: {$and: [by >= lo, by < hi]}, then: lo} to b, as element i of an array: the branch
 * of a $switch for one bucket. */
static void put_branch (MtBson *b, uint32_t i, MtVal by, MtVal lo, MtVal hi)
{
   size_t branch = mt_bson_doc_at (b, i);
   mt_bson_printf (b,
                   "case: {$and: [{$gte: [%p, {$literal: %p}]}, {$lt: [%p, {$literal: %p}]}]}, "
                   "then: {$literal: %p}",
                   (void *) &by, (void *) &lo, (void *) &by, (void *) &hi, (void *) &lo);
   mt_bson_end (b, branch);
}

static void put_bucket_key (MtBson *b, MtVal by, const MtVal *bounds, size_t n, MtVal other)
{
   size_t id = mt_bson_doc (b, "_id"), sw = mt_bson_doc (b, "$switch"),
          branches = mt_bson_array (b, "branches");
   for (size_t i = 0; i + 1 < n; i++)
      put_branch (b, (uint32_t) i, by, bounds[i], bounds[i + 1]);
   mt_bson_end (b, branches);
   if (other.type != MT_MISSING)
      put_call (b, "default", "$literal", other);
   mt_bson_end (b, sw);
   mt_bson_end (b, id);
}

static bool check_bucket (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"groupBy", "boundaries", "default", "output", NULL};
   if (!mt_stage_fields (c, spec, names, 40201, 40197))
      return false;
   MtVal by = mt_doc_field (spec, "groupBy"), output = mt_doc_field (spec, "output");
   if (by.type == MT_MISSING || mt_doc_field (spec, "boundaries").type == MT_MISSING)
      return mt_bad (c, 40198, "$bucket requires 'groupBy' and 'boundaries' to be specified");
   if (by.type != MT_DOC && !(by.type == MT_STRING && by.len && by.p[0] == '$'))
      return mt_bad (c, 40202,
                     "the $bucket 'groupBy' field must be defined as a $-prefixed path or an "
                     "expression object");
   return output.type == MT_MISSING || output.type == MT_DOC ||
          mt_bad (c, 40196, "the $bucket 'output' field must be an object, but found type: %s",
                  mt_v_type_name (output));
}

static bool check_bounds (MtCompile *c, MtVal list, const MtVal *bounds, size_t n, MtVal other)
{
   if (list.type != MT_ARRAY)
      return mt_bad (c, 40200,
                     "the $bucket 'boundaries' field must be an array, but found type: %s",
                     mt_v_type_name (list));
   if (n < 2)
      return mt_bad (c, 40192, "the $bucket 'boundaries' field must have at least 2 values");
   for (size_t i = 0; i + 1 < n; i++) {
      if (!mt_type_same_bracket (bounds[i], bounds[i + 1]))
         return mt_bad (c, 40193, "the $bucket 'boundaries' must be of one type");
      if (mt_x_compare (bounds[i], bounds[i + 1]) >= 0)
         return mt_bad (c, 40194, "the $bucket 'boundaries' must be in ascending order");
   }
   return other.type == MT_MISSING || mt_x_compare (other, bounds[0]) < 0 ||
          mt_x_compare (other, bounds[n - 1]) >= 0 ||
          mt_bad (c, 40199,
                  "the $bucket 'default' field must be less than the lowest boundary or not less "
                  "than the highest");
}

bool mt_stage_bucket (MtCompile *c, MtVal spec)
{
   MtVal by = mt_doc_field (spec, "groupBy"), list = mt_doc_field (spec, "boundaries"),
         other = mt_doc_field (spec, "default");
   MtVal output = mt_doc_field (spec, "output");
   size_t n;
   MtVal *bounds = mt_v_elements (c->arena, list, &n);
   if (!check_bucket (c, spec) || !check_bounds (c, list, bounds, n, other))
      return false;
   MtBson group = begin (c);
   put_bucket_key (&group, by, bounds, n, other);
   if (output.type == MT_MISSING)
      put_call (&group, "count", "$sum", mt_v_int32 (1));
   MtDocIter it = mt_doc_iter (output);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      mt_bson_add (&group, key.p, key.n, v);
   return run (c, "$group", &group) && run_one (c, "$sort", "_id", mt_v_int32 (1));
}

/* ---- $sample: sorts by a random number ---- */

static bool random_number (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   *out = mt_v_int64 ((int64_t) (mt_op_random () >> 1));
   return true;
}

static const MtOpRow random_row = {
   "$_mtRandom", 0, 0, NULL, 0, random_number, "a random integer", "{\"$_mtRandom\": []} => 0",
   NULL};

bool mt_stage_sample (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"size", NULL};
   int64_t size = 0;
   if (!mt_stage_fields (c, spec, names, 28745, 28748))
      return false;
   MtVal v = mt_doc_field (spec, "size");
   if (!whole (v, &size) || size < 1)
      return mt_bad (
         c, MT_CODE_IF ({v.type == MT_MISSING, 28749}, {mt_is_number (v), 28747}, {true, 28746}),
         "the $sample stage needs an object with a positive 'size'");
   MtExecExpr *e = mt_expr_new (c, MT_EX_OP, mt_ev_op, 0);
   e->row = &random_row;
   MtShape *root = c->root, *key = mt_shape_expr (c, e, root),
           *with = mt_shape_doc (c, NULL, false);
   mt_shape_put (c, with, "r", key, false);
   c->root = with;
   MtBson order = begin (c);
   mt_bson_put (&order, "r", mt_v_int32 (1));
   mt_bson_end (&order, 0);
   bool ok = mt_stage_sort (c, mt_bson_part (&order, 0, MT_DOC), (uint64_t) size, 0);
   c->root = root;
   c->stage = "$sample";
   return ok && mt_stage_limit (c, mt_v_int64 (size));
}

/* ---- $documents ---- */

bool mt_stage_documents (MtCompile *c, MtVal spec)
{
   MtExecExpr *e = mt_expr_parse (c, spec);
   if (!e)
      return false;
   if (c->exec->from != MT_FROM_LIST)
      return mt_bad (c, MT_CODE_NAMESPACE, "$documents can only be used without a collection");
   if (e->kind != MT_EX_CONST || e->value.type != MT_ARRAY)
      return mt_bad (c, 5858203, "$documents needs an array of documents that is constant");
   MtDocIter it = mt_doc_iter (e->value);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (v.type != MT_DOC)
         return mt_bad (c, 40228, "an array element of $documents is no document");
   c->exec->list = e->value;
   c->exec->list_at = 4;
   return true;
}

/* ---- $_mtTable: {name: "t", documents: […]}; the name is only for people ---- */

bool mt_stage_table (MtCompile *c, MtVal spec)
{
   MtVal list = spec.type == MT_DOC ? mt_doc_field (spec, "documents") : mt_v_missing (), v;
   MtDocIter it = mt_doc_iter (list);
   MtStr key;
   if (list.type != MT_ARRAY)
      return mt_bad (c, 0, "the $_mtTable stage needs an array 'documents'");
   while (mt_doc_next (&it, &key, &v))
      if (v.type != MT_DOC)
         return mt_bad (c, 0, "an array element of $_mtTable is no document");
   MtBson project = begin (c);
   mt_bson_put (&project, "_id", mt_v_bool (false));
   put_call (&project, "d", "$literal", list);
   return run (c, "$project", &project) && mt_compile_stage (c, "$unwind", mt_v_cstr ("$d")) &&
          mt_compile_stage (c, "$replaceWith", mt_v_cstr ("$d"));
}
