/* Opens a pipeline, or a pipeline inside another one: its source, its nodes, and its cursor. */
#include "base/pcre.h"
#include "engine/local/exec/columns.h"
#include "engine/local/exec/exec.h"
#include "engine/local/exec/run.h"
#include "engine/local/exec/stages.h"
#include "engine/local/exec/top.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>

/* If `tables` t has a list of documents called `name`, makes it the source of the pipeline. Returns
 * false if there is none. */
static bool from_list (MtExec *x, const MtExecTable *t, const char *name)
{
   while (t && strcmp (t->name, name) != 0)
      t = t->up;
   if (!t)
      return false;
   x->from = MT_FROM_LIST;
   x->list = t->documents;
   x->list_at = 4;
   return true;
}

/* Reads the collection args->collection from another engine into memory, as the source of the
 * pipeline. */
static bool hold (MtExec *x, const MtExecArgs *args, MtError *err)
{
   MtExecHeld *held = args->held;
   MtExecTable *t = MT_NEW (held->arena, MtExecTable);
   MtBson list = {.arena = NULL};
   MtCursor *cursor;
   const bson_t *doc;
   bool ok = true;
   bson_t everything = BSON_INITIALIZER;
   bool open = args->remote (args->remote_ctx, args->collection, &everything, &cursor, err);
   bson_destroy (&everything);
   if (!open)
      return false;
   mt_bson_begin (&list);
   for (uint32_t i = 0; ok && (ok = mt_cursor_next (cursor, &doc, err)) && doc; i++) {
      mt_bson_put_at (&list, i, mt_v_doc (doc));
      if (list.n > x->args.work_mem || list.n > INT32_MAX)
         ok = mt_x_beyond_memory (err, "the documents of a collection that is needed in process",
                                  x->args.work_mem);
   }
   mt_cursor_free (cursor);
   mt_bson_end (&list, 0);
   if (ok) {
      *t = (MtExecTable) {mt_strdup (held->arena, args->collection),
                          mt_v_copy (held->arena, mt_bson_part (&list, 0, MT_ARRAY)), held->tables};
      held->tables = t;
   }
   free (list.p);
   return ok;
}

static bool open_source (MtCompile *c, const MtExecArgs *args)
{
   MtExec *x = c->exec;
   if (args->next) {
      x->from = MT_FROM_NEXT;
      return true;
   }
   if (!args->collection) {
      x->from = MT_FROM_LIST;
      return true;
   }
   if (from_list (x, args->tables, args->collection) ||
       from_list (x, args->held->tables, args->collection))
      return true;
   if (args->streams && mt_is_streamed (args->collection)) {
      x->from = MT_FROM_STREAM;
      x->streamed = mt_strdup (x->arena, args->collection);
      return true;
   }
   if (args->remote && (!args->resolve || !mt_is_temporary (args->collection)))
      return hold (x, args, c->err) && from_list (x, args->held->tables, args->collection);
   x->from = MT_FROM_SOURCE;
   if (!args->resolve)
      return mt_error_coded (c->err, MT_E_UNDEFINED_TABLE, MT_CODE_NO_COLLECTION,
                             "there is no collection \"%s\" here", args->collection);
   if (!args->resolve (args->resolve_ctx, args->collection, &x->source, c->err))
      return false;
   MtCollStats stats;
   mt_source_stats (x->source, &stats);
   x->stats.bytes_total = stats.bytes;
   return true;
}

static void look_up (MtExec *x, MtKeyProbe p)
{
   if (p.field && x->from == MT_FROM_SOURCE)
      x->lookup = mt_lookup_new (x->source, p.field, p.values, p.count);
}

static bool link_nodes (MtCompile *c)
{
   MtExec *x = c->exec;
   x->nodes = MT_NEW_N (c->arena, MtExecNode *, c->node_count);
   x->start = -1;
   for (uint32_t i = 0; i < c->node_count; i++)
      if (c->nodes[i]->live) {
         if (c->nodes[i] == c->shut)
            x->start = (int) x->node_count;
         x->nodes[x->node_count++] = c->nodes[i];
      }
   for (uint32_t i = 0; i < x->node_count; i++) {
      x->nodes[i]->next = i + 1 < x->node_count ? x->nodes[i + 1] : NULL;
      if (x->nodes[i]->seal)
         x->nodes[i]->seal (x->nodes[i], c);
   }
   x->by_block = x->from == MT_FROM_SOURCE && x->nodes[0]->counts && !x->root->whole &&
                 !x->root->extract;
   x->by_columns = mt_columns_plan (c);
   const MtExecNode *first = x->nodes[mt_sink_after (x, -1)];
   x->ordering = first->orders ? first : NULL;
   x->slot_count = c->slot_count;
   x->extract_count = c->extract_count;
   x->regex_count = c->regex_count;
   x->memo_count = mt_repeat_end (c);
   x->all_nodes = c->node_count;
   x->prune = x->args.reading.all_blocks ? NULL : c->prune;
   if (x->prune) {
      look_up (x, mt_match_probe (x->prune));
      x->spans = mt_match_span (x->prune, &x->span);
   }
   x->stage_stats = MT_NEW_N (c->arena, MtStageStats, x->node_count);
   x->within = MT_NEW_N (c->arena, MtRunsWithin, x->args.want_stats ? c->node_count + 1u : 1u);
   x->length = c->length;
   return true;
}

/* Makes variables for args.given, whose values come from the enclosing pipeline. Their slots belong
 * to no node, so that no node copies or overwrites them. */
static void take_given (MtCompile *c, const MtExecGiven *given)
{
   c->exec->given = MT_NEW_N (c->arena, MtExecVar *, given->count + 1u);
   for (uint32_t i = 0; i < given->count; i++) {
      MtExecScope *s = MT_NEW (c->arena, MtExecScope);
      MtExecVar *v = mt_var_new (c, INT32_MAX, false);
      *s = (MtExecScope) {given->names[i], mt_shape_var (c, v), c->scope};
      c->scope = s;
      c->exec->given[i] = v;
   }
}

/* Evaluates the expressions of args.let, and makes them variables like those of args.given. Runs a
 * pipeline over one empty document to compute the values. */
static bool take_let (MtExec *x, MtError *err)
{
   bson_t pipeline = BSON_INITIALIZER, stage = BSON_INITIALIZER;
   MtVal let = mt_v_doc (x->args.let);
   MtExecArgs args = {.pipeline = &pipeline,
                      .order = x->args.order,
                      .ops = x->args.ops,
                      .cancel = x->args.cancel,
                      .stages = x->args.stages};
   MtCursor *cursor = NULL;
   const bson_t *doc = NULL;
   mt_doc_printf (&pipeline, "0: {$documents: [{}]}");
   mt_doc_printf (&stage, "$replaceWith: %p", (void *) &let);
   mt_doc_push (&pipeline, mt_v_doc (&stage));
   bool ok = mt_exec_open_with (&args, NULL, &x->now, &cursor, err);
   if (ok && (ok = mt_cursor_next (cursor, &doc, err))) {
      uint32_t n = (uint32_t) mt_doc_count (let), i = 0;
      const char **names = MT_NEW_N (x->arena, const char *, n + 1u);
      MtVal *values = MT_NEW_N (x->arena, MtVal, n + 1u), v;
      MtExecGiven *given = MT_NEW (x->arena, MtExecGiven);
      MtStr key;
      for (MtDocIter it = mt_doc_iter (let); mt_doc_next (&it, &key, &v); i++) {
         names[i] = mt_strndup (x->arena, key.p, key.n);
         values[i] = mt_v_copy (x->arena, mt_doc_field (mt_v_doc (doc), names[i]));
      }
      *given = (MtExecGiven) {names, values, n};
      x->args.given = given;
   }
   if (cursor)
      mt_cursor_free (cursor);
   bson_destroy (&stage);
   bson_destroy (&pipeline);
   return ok;
}

static bool compile (MtCompile *c, const MtExecArgs *args)
{
   MtExec *x = c->exec;
   if (!open_source (c, args) || (args->let && !take_let (x, c->err)))
      return false;
   if (args->given)
      take_given (c, args->given);
   bool stored = x->from == MT_FROM_SOURCE;
   x->root = mt_var_new (c, -1, stored);
   c->scan = stored ? x->root : NULL;
   c->root = mt_shape_var (c, x->root);
   c->stage = "$source";
   if (!mt_compile_stages (c, args->pipeline))
      return false;
   if (x->from == MT_FROM_LIST && x->list.type != MT_ARRAY)
      return mt_error_coded (c->err, MT_E_PARAMETER, MT_CODE_NAMESPACE,
                             "a pipeline without a collection has to begin with $documents");
   c->stage = "$output";
   MtShape *s = mt_shape_solid (c, c->root);
   MtExecExpr *e = s ? mt_shape_use (c, s, (int) c->node_count) : NULL;
   if (!e)
      return false;
   ((MtEvalNode *) mt_node_new (c, sizeof (MtEvalNode), NULL, mt_output_push))->expr = e;
   return link_nodes (c);
}

bool mt_exec_open_with (const MtExecArgs *args, const MtExecScope *scope, const MtVal *now,
                        MtCursor **out, MtError *err)
{
   /* An MtExec contains a bson_t, which needs a larger alignment than calloc gives. */
   MtExec *x = mt_x_aligned (_Alignof (MtExec), sizeof *x);
   x->cursor.vt = &mt_exec_cursor_vt;
   x->arena = mt_arena_new ("pipeline", NULL);
   x->args = *args;
   x->held.arena = x->arena;
   if (!args->held)
      x->args.held = &x->held;
   if (!args->shared)
      x->args.shared = mt_shared_rows_new (x->arena);
   if (!x->args.work_mem)
      x->args.work_mem = MT_DEFAULT_WORK_MEM;
   x->now = now ? *now : mt_v_date (mt_wall_ms ());
   MtError own = {0};
   MtCompile c = {.exec = x, .arena = x->arena, .err = &own, .last_sink = -1, .scope = scope};
   const MtTextOrder *before = mt_x_collate (x->args.order);
   bool ok = compile (&c, &x->args);
   mt_x_collate (before);
   if (!ok) {
      if (err)
         *err = own;
      mt_lookup_free (x->lookup);
      mt_source_free (x->source);
      mt_arena_free (x->arena);
      free (x);
      return false;
   }
   x->args.pipeline = x->args.let = NULL;
   x->args.collation = mt_v_missing ();
   x->at = x->finished = x->start;
   x->main = mt_work_new (x);
   *out = &x->cursor;
   return true;
}

static MtExecArgs sub_args (const MtExec *x, const char *collection, const bson_t *pipeline)
{
   MtExecArgs args = x->args;
   args.collection = collection;
   args.next = NULL;
   args.next_ctx = NULL;
   args.pipeline = pipeline;
   args.progress = NULL;
   /* The pipeline x is already running, so errors in its sub-pipelines were found when it was
    * compiled. */
   args.tried = x->main != NULL;
   return args;
}

bool mt_sub_open (const MtExec *x, const MtSubArgs *sub, MtCursor **out, MtError *err)
{
   bson_t pipeline;
   if (!bson_init_static (&pipeline, sub->pipeline.p, sub->pipeline.len))
      return mt_error (err, MT_E_INTERNAL, "a part of the plan is no valid document");
   MtExecArgs args = sub_args (x, sub->collection, &pipeline);
   args.next = sub->next;
   args.next_ctx = sub->next_ctx;
   if (sub->given)
      args.given = sub->given;
   if (sub->tables)
      args.tables = sub->tables;
   return mt_exec_open_with (&args, sub->scope, &x->now, out, err);
}

void mt_sub_rewind (MtCursor *cursor)
{
   MtExec *x = (MtExec *) cursor;
   MtPcre *compiled = x->main->regexes;
   x->main->regexes = NULL;
   mt_work_free (x->main);
   x->main = mt_work_new (x);
   free (x->main->regexes);
   x->main->regexes = compiled;
   x->us = 0;
   mt_doc_stream_close (x->stream);
   x->stream = NULL;
   x->at = x->finished = x->start;
   x->input_over = x->ended = false;
   x->scan = (MtBlockScan) {.block = 0};
   mt_top_free (x->top);
   x->top = NULL;
   x->planned = false;
   x->list_at = 4;
}

static bool feed_next (void *ctx, const bson_t **doc, MtError *err)
{
   return mt_cursor_next (ctx, doc, err);
}

static bool open_split (const MtExec *x, MtExecArgs *args, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err)
{
   bson_t there, here;
   MtCursor *feed = NULL;
   if (!bson_init_static (&here, pipeline.p, pipeline.len))
      return mt_error (err, MT_E_INTERNAL, "a part of the plan is no valid document");
   args->pipeline = &here;
   if (remote.type != MT_ARRAY)
      return mt_exec_open_with (args, NULL, &x->now, out, err);
   if (!args->remote || !bson_init_static (&there, remote.p, remote.len))
      return mt_error (err, MT_E_FEATURE, "no server runs a part of this pipeline");
   if (!args->remote (args->remote_ctx, args->collection, &there, &feed, err))
      return false;
   args->collection = NULL;
   args->next = feed_next;
   args->next_ctx = feed;
   if (!mt_exec_open_with (args, NULL, &x->now, out, err)) {
      mt_cursor_free (feed);
      return false;
   }
   ((MtExec *) *out)->feed = feed;
   return true;
}

bool mt_sub_open_split (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                        MtCursor **out, MtError *err)
{
   MtExecArgs args = sub_args (x, collection, NULL);
   return open_split (x, &args, remote, pipeline, out, err);
}

bool mt_sub_open_lasting (const MtExec *x, const char *collection, MtVal remote, MtVal pipeline,
                          MtCursor **out, MtError *err)
{
   MtExecArgs args = sub_args (x, collection, NULL);
   args.held = NULL;
   args.given = NULL;
   args.tables = NULL;
   args.want_stats = x->args.want_stats;
   return open_split (x, &args, remote, pipeline, out, err);
}

bool mt_sub_has_more (const MtCursor *cursor)
{
   const MtWork *w = ((const MtExec *) cursor)->main;
   return w->out_at < w->out.n;
}

void mt_sub_close (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor)
{
   const MtExec *x = (const MtExec *) cursor;
   for (uint32_t i = 0; i < x->node_count; i++)
      if (x->nodes[i]->quit)
         x->nodes[i]->quit (x->nodes[i], x->main);
   mt_sub_count (w, n, how, cursor);
   mt_cursor_free (cursor);
}
