/* The stage $graphLookup: for each input document, searches a collection recursively. It starts
 * from a value of the document, finds the documents whose field connectToField has that value, and
 * continues from the values at connectFromField of the found documents. */
#include "engine/local/exec/foreign.h"
#include "engine/local/stage/stage_int.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>

typedef struct GraphNode {
   MtExecNode n;
   const char *coll;
   MtExecExpr *start;
   MtPath from, to, as;
   const char *depth; /* name of the field with the number of steps; NULL: none */
   int64_t most;      /* the most steps */
   MtVal pipeline;    /* restrictSearchWithMatch, as a pipeline */
   MtExecVar *var;    /* the array of results */
} GraphNode;

typedef struct GraphState {
   MtForeign f;
   /* found[i] is the number of the last search that found document i. `search` is the number of the
    * current search. So found[] need not be cleared for each search. */
   uint64_t *found, search;
   uint32_t *queue, n; /* the documents that this search has found, nearest first */
} GraphState;

static void graph_drop (const MtExecNode *n, MtWork *w)
{
   GraphState *st = w->state[n->id];
   mt_foreign_free (&st->f);
   free (st->found);
   free (st->queue);
   free (st);
   w->state[n->id] = NULL;
}

static GraphState *state_of (const GraphNode *g, MtWork *w)
{
   GraphState *st = w->state[g->n.id];
   if (st)
      return st;
   w->state[g->n.id] = st = mt_x_calloc (1, sizeof *st);
   if (!mt_foreign_load (&st->f, w, g->coll, g->pipeline, &g->to))
      return NULL;
   st->found = mt_x_calloc (st->f.n + 1u, sizeof *st->found);
   st->queue = mt_x_calloc (st->f.n + 1u, sizeof *st->queue);
   return st;
}

/* ---- the search ---- */

static void enqueue (void *ctx, uint32_t i)
{
   GraphState *st = ctx;
   if (st->found[i] == st->search)
      return;
   st->found[i] = st->search;
   st->queue[st->n++] = i;
}

/* Enqueues the documents whose connectToField equals v, or equals an element of v if v is an
 * array. */
static void connect (GraphState *st, MtVal v)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   if (v.type != MT_ARRAY && v.type != MT_MISSING)
      mt_foreign_find (&st->f, v, enqueue, st);
   while (v.type == MT_ARRAY && mt_doc_next (&it, &key, &e))
      mt_foreign_find (&st->f, e, enqueue, st);
}

/* Calls connect for each value at `path` in v, from the path's component `from` on. Visits all
 * elements of arrays. The recursion is no deeper than the path is long. */
static void follow (GraphState *st, MtVal v, const MtPath *path, uint32_t from)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   uint32_t index;
   if (from == path->count)
      connect (st, v);
   else if (v.type == MT_DOC)
      follow (st, mt_doc_field (v, path->part[from]), path, from + 1);
   else if (v.type == MT_ARRAY) {
      if (mt_x_is_index (path->part[from], &index))
         follow (st, mt_doc_at (v, index), path, from + 1);
      while (mt_doc_next (&it, &key, &e))
         if (e.type == MT_DOC)
            follow (st, e, path, from);
   }
}

static void put_found (const GraphNode *g, MtBson *b, uint32_t i, MtVal doc, int64_t depth)
{
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   bool put = false;
   if (!g->depth) {
      mt_bson_put_at (b, i, doc);
      return;
   }
   size_t start = mt_bson_doc_at (b, i);
   while (mt_doc_next (&it, &key, &v)) {
      bool same = mt_str_is (key, g->depth);
      mt_bson_add (b, key.p, key.n, same ? mt_v_int64 (depth) : v);
      put |= same;
   }
   if (!put)
      mt_bson_put (b, g->depth, mt_v_int64 (depth));
   mt_bson_end (b, start);
}

static bool search (const GraphNode *g, GraphState *st, MtWork *w, MtBson *b)
{
   for (uint32_t at = 0, end = st->n, depth = 0; at < end; end = st->n, depth++)
      for (; at < end; at++) {
         MtVal doc = st->f.docs[st->queue[at]];
         put_found (g, b, at, doc, depth);
         if (depth < g->most)
            follow (st, doc, &g->from, 0);
         if (at > 0 && b->n > w->exec->args.work_mem)
            return mt_x_beyond_memory (&w->err, "the rows of an array", w->exec->args.work_mem);
         if (!mt_tick (w))
            return false;
      }
   return mt_memory_check (&w->err);
}

static MtFlow graph_push (const MtExecNode *n, MtWork *w)
{
   const GraphNode *g = (const GraphNode *) n;
   GraphState *st = state_of (g, w);
   MtVal start;
   MtBson b = {.arena = w->arena};
   w->count[n->id].in++;
   if (!st || !mt_eval (g->start, w, &start))
      return MT_FAIL;
   st->search++;
   st->n = 0;
   connect (st, start);
   size_t begin = mt_bson_begin (&b);
   if (!search (g, st, w, &b))
      return MT_FAIL;
   mt_bson_end (&b, begin);
   w->slots[g->var->slot] = mt_bson_part (&b, begin, MT_ARRAY);
   return mt_bind (w, g->var, &w->count[n->id]) ? mt_next (n, w) : MT_FAIL;
}

/* ---- compiling ---- */

/* Returns the option `name`, a string that does not begin with '$', as a copy in c->arena. Returns
 * NULL and sets c->err if it is anything else. */
static const char *text_of (MtCompile *c, MtVal spec, const char *name)
{
   MtVal v = mt_doc_field (spec, name);
   if (v.type == MT_STRING && v.len && v.p[0] != '$')
      return mt_strndup (c->arena, (const char *) v.p, v.len);
   if (v.type == MT_STRING)
      mt_bad (c, 16410, "the '%s' option of $graphLookup must be a name without '$'", name);
   else
      mt_bad (c, strcmp (name, "from") ? 40103 : MT_CODE_FAILED_TO_PARSE,
              "expected string as argument for %s, found: %s", name, mt_v_type_name (v));
   return NULL;
}

static bool parse_limits (MtCompile *c, MtVal spec, GraphNode *g)
{
   MtVal most = mt_doc_field (spec, "maxDepth");
   g->most = INT64_MAX;
   if (most.type != MT_MISSING && !mt_is_number (most))
      return mt_bad (c, 40100, "maxDepth requires a numeric argument, found: %s",
                     mt_v_type_name (most));
   if (most.type != MT_MISSING && !mt_op_whole (most, &g->most))
      return mt_bad (c, 40102, "maxDepth could not be represented as a long long");
   if (g->most < 0)
      return mt_bad (c, 40101, "maxDepth requires a nonnegative argument, found: %" PRId64,
                     g->most);
   if (mt_doc_field (spec, "depthField").type == MT_MISSING)
      return true;
   if (!(g->depth = text_of (c, spec, "depthField")))
      return false;
   return !strchr (g->depth, '.') ||
          mt_error (c->err, MT_E_FEATURE, "$graphLookup with a dot in depthField is not supported");
}

/* Sets g->pipeline to a pipeline with a $match of restrictSearchWithMatch, or to an empty one.
 * Compiles it once to report errors in it. */
static bool parse_restriction (MtCompile *c, MtVal spec, GraphNode *g)
{
   MtVal match = mt_doc_field (spec, "restrictSearchWithMatch");
   MtBson b = {.arena = c->arena};
   MtCursor *cursor;
   if (match.type != MT_MISSING && match.type != MT_DOC)
      return mt_bad (c, 40185, "restrictSearchWithMatch must be an object, but found: %s",
                     mt_v_type_name (match));
   g->pipeline = mt_no_stages ();
   if (match.type == MT_MISSING)
      return true;
   mt_bson_begin (&b);
   size_t stage = mt_bson_doc_at (&b, 0);
   mt_bson_put (&b, "$match", match);
   mt_bson_end (&b, stage);
   mt_bson_end (&b, 0);
   g->pipeline = mt_bson_part (&b, 0, MT_ARRAY);
   if (!mt_memory_check (c->err) || c->exec->args.tried)
      return c->exec->args.tried;
   MtSubArgs args = {.collection = g->coll, .pipeline = g->pipeline};
   if (!mt_sub_open (c->exec, &args, &cursor, c->err))
      return false;
   mt_cursor_free (cursor);
   return true;
}

static bool parse_options (MtCompile *c, MtVal spec, GraphNode *g)
{
   static const char *const needed[] = {"from", "as", "startWith", "connectFromField",
                                        "connectToField"};
   const char *as, *from, *to;
   for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
      if (mt_doc_field (spec, needed[i]).type == MT_MISSING)
         return mt_bad (c, 40105,
                        "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', "
                        "and 'connectToField' to be specified");
   return (g->coll = text_of (c, spec, "from")) && (as = text_of (c, spec, "as")) &&
          (from = text_of (c, spec, "connectFromField")) &&
          (to = text_of (c, spec, "connectToField")) && mt_path_parse (c, as, &g->as) &&
          mt_path_parse (c, from, &g->from) && mt_path_parse (c, to, &g->to) &&
          parse_limits (c, spec, g) && parse_restriction (c, spec, g);
}

bool mt_stage_graph_lookup (MtCompile *c, MtVal spec)
{
   static const char *const names[] = {"from",
                                       "as",
                                       "startWith",
                                       "connectFromField",
                                       "connectToField",
                                       "maxDepth",
                                       "depthField",
                                       "restrictSearchWithMatch",
                                       NULL};
   GraphNode plan = {0};
   if (!mt_stage_fields (c, spec, names, MT_CODE_FAILED_TO_PARSE, 40104) ||
       !parse_options (c, spec, &plan) ||
       !(plan.start = mt_expr_parse (c, mt_doc_field (spec, "startWith"))) ||
       !mt_expr_bind (c, plan.start, c->root, c->scope, (int) c->node_count))
      return false;
   GraphNode *g = (GraphNode *) mt_node_new (c, sizeof *g, NULL, graph_push);
   plan.n = g->n;
   *g = plan;
   g->n.serial = true;
   g->n.drop = graph_drop;
   g->var = mt_var_new (c, g->n.pos, false);
   c->root = mt_shape_with (c, c->root, &g->as, 0, mt_shape_var (c, g->var), false);
   return !c->failed;
}
