/* Collects the statistics of a pipeline for EXPLAIN ANALYZE: for each stage and its sub-pipelines.
 * Documents and bytes are always counted. Time is measured only if want_stats is set. */
#include "engine/local/expr/core.h"
#include "engine/local/exec/run.h"
#include "engine/local/expr/shape.h"

/* Returns the microseconds per tick of the clock that nodes use, computed from the time and the
 * ticks of the main thread. */
static double us_a_tick (const MtExec *x)
{
   uint64_t sum = 0;
   for (uint32_t i = 0; i <= x->all_nodes; i++)
      sum += x->main->count[i].ticks;
   return sum ? (double) x->us / (double) sum : 0;
}

/* Adds up the statistics of nodes by stage. A stage may have several nodes, since those that
 * compute its values belong to it, too. Returns the number of stages. */
static size_t stages_of (MtExec *x)
{
   const MtCount *count = x->main->count;
   double unit = x->args.want_stats ? us_a_tick (x) : 0;
   size_t n = 0;
   for (uint32_t i = 0; i + 1 < x->node_count; i++) {
      const MtExecNode *node = x->nodes[i];
      const MtCount *c = &count[node->id];
      MtStageStats *last = n ? &x->stage_stats[n - 1] : NULL;
      uint64_t rows_out = count[x->nodes[i + 1]->id].in, us = (uint64_t) ((double) c->ticks * unit);
      bool parts = node->push == mt_eval_push || (i && x->nodes[i - 1]->push == mt_eval_push);
      if (last && strcmp (last->stage, node->stage) == 0 && parts) {
         last->at = node->at;
         last->us += us;
         last->bytes += c->bytes;
         last->docs_out = rows_out;
      } else {
         last = &x->stage_stats[n++];
         *last = (MtStageStats) {.stage = node->stage,
                                 .at = node->at,
                                 .docs_in = c->in,
                                 .docs_out = rows_out,
                                 .bytes = c->bytes,
                                 .us = us};
      }
      last->spilled += c->spilled;
      for (int k = 0; x->args.want_stats && k < MT_WITHIN_COUNT; k++)
         last->within[k] = last->within[k] ? last->within[k] : x->within[node->id].of[k];
   }
   return n;
}

void mt_exec_stats (MtCursor *c, MtRunStats *out)
{
   MtExec *x = (MtExec *) c;
   const MtCount *count = x->main->count;
   x->stats.stage_count = stages_of (x);
   x->stats.length = x->length;
   x->stats.source_us = x->args.want_stats
                           ? (uint64_t) ((double) count[x->all_nodes].ticks * us_a_tick (x))
                           : 0;
   x->stats.docs_read = x->stats.docs_in = count[x->all_nodes].in;
   x->stats.bytes_read = 0;
   for (uint32_t i = 0; i <= x->all_nodes; i++)
      x->stats.bytes_read += count[i].bytes;
   /* If several stages read the same bytes, count them once, and don't count bytes that stages
    * made. */
   if (x->stats.bytes_read > count[x->all_nodes].stored)
      x->stats.bytes_read = count[x->all_nodes].stored;
   x->stats.docs_read += x->main->sub_docs;
   x->stats.bytes_read += x->main->sub_bytes;
   x->stats.collections = (x->source != NULL) + x->main->sub_collections;
   x->stats.blocks_read = x->main->blocks_read;
   x->stats.blocks_pruned = x->main->blocks_pruned;
   x->stats.us = (uint64_t) x->us;
   x->stats.stages = x->stage_stats;
   *out = x->stats;
   if (x->source) { /* the size of documents with increments is exact only after the run */
      MtCollStats all;
      mt_source_stats (x->source, &all);
      out->bytes_total = all.bytes;
   }
   out->bytes_total += x->main->sub_total;
}

static void add_run (MtArena *a, MtRunStats **to, const MtRunStats *from);

static void add_stage (MtArena *a, MtStageStats *to, const MtStageStats *from)
{
   to->docs_in += from->docs_in;
   to->docs_out += from->docs_out;
   to->bytes += from->bytes;
   to->us += from->us;
   to->spilled += from->spilled;
   for (int k = 0; k < MT_WITHIN_COUNT; k++)
      if (from->within[k])
         add_run (a, (MtRunStats **) &to->within[k], from->within[k]);
}

/* Adds the statistics of one run of a sub-pipeline to *to. All runs have the same stages. */
static void add_run (MtArena *a, MtRunStats **to, const MtRunStats *from)
{
   if (!*to) {
      MtRunStats *r = MT_NEW (a, MtRunStats);
      MtStageStats *stages = MT_NEW_N (a, MtStageStats, from->stage_count + 1);
      for (size_t i = 0; i < from->stage_count; i++)
         stages[i] = (MtStageStats) {.stage = mt_strdup (a, from->stages[i].stage),
                                     .at = from->stages[i].at};
      *r = (MtRunStats) {
         .stages = stages, .stage_count = from->stage_count, .length = from->length};
      *to = r;
   }
   (*to)->docs_in += from->docs_in;
   (*to)->us += from->us;
   (*to)->source_us += from->source_us;
   for (size_t i = 0; i < from->stage_count && i < (*to)->stage_count; i++)
      add_stage (a, (MtStageStats *) &(*to)->stages[i], &from->stages[i]);
}

void mt_sub_note (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor)
{
   MtExec *x = (MtExec *) w->exec;
   MtRunStats s;
   if (!w->timing || w != x->main)
      return;
   mt_cursor_stats (cursor, &s);
   add_run (x->arena, &x->within[n->id].of[how], &s);
}

void mt_sub_count (MtWork *w, const MtExecNode *n, MtWithin how, MtCursor *cursor)
{
   MtRunStats s;
   mt_cursor_stats (cursor, &s);
   w->sub_docs += s.docs_read;
   w->sub_bytes += s.bytes_read;
   w->sub_total += s.bytes_total;
   w->sub_collections += s.collections;
   mt_sub_note (w, n, how, cursor);
}
