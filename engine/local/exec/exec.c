/* Runs a pipeline. First, the documents of the source are pushed up to the first blocking node
 * (which must read all input before it pushes output), on several threads if that is worthwhile.
 * Then each blocking node pushes its rows to the next one, and the last one to the output
 * (output.c). Each call processes only a few documents. */
#include "engine/local/exec/columns.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/expr.h"
#include "engine/local/exec/run.h"
#include "engine/local/exec/top.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define DOCS_A_STEP 512
#define RESET_DOCS 64
#define RESET_BYTES (256u << 10)
#define OUT_BYTES (128u << 10)

static void fresh_arena (MtWork *w)
{
   mt_arena_reset (w->arena);
   w->epoch++;
}

/* ---- the source ---- */

/* Pushes a single row that stands for all documents of a block, without reading them. For pipelines
 * that only count documents. */
static MtFlow count_block (MtWork *w)
{
   const MtExec *x = w->exec;
   const MtBlock *b = &w->reader.block;
   w->rows = b->documents - b->deleted;
   atomic_fetch_add_explicit (&((MtExec *) x)->bytes_done, b->size, memory_order_relaxed);
   MtFlow flow = w->rows ? x->nodes[0]->push (x->nodes[0], w) : MT_GO;
   w->rows = 1;
   return flow;
}

static bool open_block (MtWork *w, MtBlockScan *s)
{
   const MtExec *x = w->exec;
   size_t i = s->block++;
   if (x->top && mt_top_is_past (x->top, i)) {
      w->blocks_pruned++;
      return true;
   }
   if (x->top)
      i = mt_top_block (x->top, i);
   if ((x->lookup && mt_lookup_none (x->lookup, i)) ||
       (x->prune && !mt_match_block (x->prune, x->source, i, x->root)) ||
       (x->by_columns && !x->args.reading.all_blocks && mt_columns_none (x, i))) {
      w->blocks_pruned++;
      return true;
   }
   s->hit = 0;
   s->probing = x->lookup && mt_lookup_block (x->lookup, i, s->hits, &s->hit_count);
   if (s->probing && s->hit_count == 0) {
      w->blocks_pruned++;
      return true;
   }
   if (!mt_reader_init (&w->reader, x->source, i, &w->err))
      return false;
   w->blocks_read += !x->by_block;
   s->open = true;
   w->seq = (uint64_t) i << 32;
   s->by_columns = false;
   if (x->by_columns && !mt_columns_open (w, s->probing ? s : NULL, &s->by_columns))
      return false;
   if (s->by_columns)
      return true;
   MtBlockPart part = {0, (uint32_t) w->reader.block.size, 0};
   if (x->spans && !s->probing)
      mt_block_part (x->source, i, &x->span, &part);
   s->p = w->reader.block.data + part.from;
   s->end = w->reader.block.data + part.to;
   s->ordinal = part.ordinal;
   return true;
}

static MtFlow scan_doc (MtWork *w, MtBlockScan *s, const MtExecNode *first)
{
   const MtExecVar *root = w->exec->root;
   MtCount *count = &w->count[w->exec->all_nodes];
   uint32_t len;
   if ((size_t) (s->end - s->p) < 5 || !mt_need (&w->reader, s->p, 4)) {
      if (!mt_error_is_set (&w->err))
         mt_error (&w->err, MT_E_CORRUPT, "block ends within a document");
      return MT_FAIL;
   }
   memcpy (&len, s->p, 4);
   if (len < 5 || len > (size_t) (s->end - s->p)) {
      mt_error (&w->err, MT_E_CORRUPT, "document of impossible size %u", len);
      return MT_FAIL;
   }
   const uint8_t *doc = s->p;
   s->p += len;
   if (w->reader.block.deleted && mt_block_is_deleted (&w->reader.block, s->ordinal++))
      return MT_GO;
   count->in++;
   count->stored += len;
   w->seq++;
   w->slots[root->slot] = (MtVal) {.type = MT_DOC, .len = len, .p = doc};
   if (root->whole && !w->exec->verify_later) {
      if (!mt_need (&w->reader, doc, len))
         return MT_FAIL;
      count->bytes += len;
   } else if (!root->extract)
      count->bytes += 4;
   if (root->extract && !mt_extract_doc (w, root->extract, w->slots[root->slot], true, count))
      return MT_FAIL;
   if (!w->timing)
      return first->push (first, w);
   MtExecNode start = {.next = (MtExecNode *) first, .id = w->exec->all_nodes};
   return mt_next_timed (&start, w);
}

/* Moves the scan to the next document of the block. Returns false if there is none. */
static bool next_doc (MtWork *w, MtBlockScan *s)
{
   if (!s->probing)
      return s->p < s->end;
   if (s->hit == s->hit_count)
      return false;
   s->p = w->reader.block.data + s->hits[s->hit].offset;
   s->ordinal = s->hits[s->hit++].ordinal;
   return true;
}

static bool out_is_full (const MtWork *w) { return w->out.n - w->out_at >= OUT_BYTES; }

static void close_block (MtWork *w, MtBlockScan *s)
{
   s->open = false;
   if (w->exec->top)
      mt_top_note (w->exec->top, w);
}

/* Pushes some rows of a block that is read from its columns. */
static MtFlow scan_columns (MtWork *w, MtBlockScan *s)
{
   bool over;
   MtFlow flow = mt_columns_push (w, RESET_DOCS, &over);
   if (flow != MT_GO)
      return flow;
   if (over)
      close_block (w, s);
   fresh_arena (w);
   return mt_x_poll (w) ? MT_GO : MT_FAIL;
}

MtFlow mt_scan (MtWork *w, MtBlockScan *s, size_t docs, bool *done)
{
   const MtExec *x = w->exec;
   const MtExecNode *first = x->nodes[0];
   size_t blocks = s->stop ? s->stop : mt_source_blocks (x->source), since = 0;
   for (size_t n = 0; n < docs && !out_is_full (w);) {
      if (!s->open) {
         *done = s->block >= blocks;
         if (*done)
            break;
         if (!open_block (w, s) || ((s->open || s->block % 64 == 0) && !mt_x_poll (w)))
            return MT_FAIL;
         if (x->by_block && s->open) {
            s->open = false;
            if (count_block (w) != MT_GO)
               return MT_FAIL;
         }
         continue;
      }
      if (s->by_columns) {
         MtFlow flow = scan_columns (w, s);
         if (flow != MT_GO)
            return flow;
         n += RESET_DOCS;
         continue;
      }
      if (!next_doc (w, s)) {
         close_block (w, s);
         continue;
      }
      const uint8_t *from = s->p;
      MtFlow flow = scan_doc (w, s, first);
      if (flow != MT_GO)
         return flow;
      since += (size_t) (s->p - from);
      if ((++n & (RESET_DOCS - 1)) == 0 || since >= RESET_BYTES) {
         fresh_arena (w);
         atomic_fetch_add_explicit (&((MtExec *) x)->bytes_done, since, memory_order_relaxed);
         since = 0;
         if (!mt_x_poll (w))
            return MT_FAIL;
      }
   }
   atomic_fetch_add_explicit (&((MtExec *) x)->bytes_done, since, memory_order_relaxed);
   return MT_GO;
}

static MtFlow push_value (MtWork *w, MtVal doc)
{
   const MtExec *x = w->exec;
   MtCount *count = &w->count[x->all_nodes];
   count->in++;
   count->stored += doc.len;
   count->bytes += doc.len;
   w->seq++;
   w->slots[x->root->slot] = doc;
   if (!mt_bind (w, x->root, count))
      return MT_FAIL;
   return x->nodes[0]->push (x->nodes[0], w);
}

static MtFlow pump_next (MtNextDoc next, void *ctx, MtWork *w, bool *done)
{
   for (int n = 0; n < DOCS_A_STEP && !out_is_full (w); n++) {
      const bson_t *doc;
      fresh_arena (w);
      if (!mt_tick (w) || !next (ctx, &doc, &w->err))
         return MT_FAIL;
      if (!doc) {
         *done = true;
         return MT_GO;
      }
      MtFlow flow = push_value (w, mt_v_doc (doc));
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static bool next_of_stream (void *ctx, const bson_t **doc, MtError *err)
{
   MtDocStream *s = ctx;
   return s->next (s, doc, err);
}

static MtFlow pump_stream (MtExec *x, MtWork *w, bool *done)
{
   if (!x->stream &&
       !x->args.streams->open (x->args.streams->ctx, x->streamed, &x->stream, &w->err))
      return MT_FAIL;
   return pump_next (next_of_stream, x->stream, w, done);
}

static MtFlow pump_list (MtExec *x, MtWork *w, bool *done)
{
   MtDocIter it = {x->list.p + x->list_at, x->list.p + x->list.len - 1};
   MtStr key;
   MtVal v;
   for (int n = 0; n < DOCS_A_STEP; n++) {
      if (!mt_doc_next (&it, &key, &v)) {
         *done = true;
         return MT_GO;
      }
      x->list_at = (uint32_t) (it.p - x->list.p);
      MtFlow flow = push_value (w, v);
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static MtFlow pump_source (MtExec *x, MtWork *w, bool *done)
{
   switch (x->from) {
   case MT_FROM_SOURCE: return mt_scan (w, &x->scan, DOCS_A_STEP, done);
   case MT_FROM_NEXT: return pump_next (x->args.next, x->args.next_ctx, w, done);
   case MT_FROM_LIST: return pump_list (x, w, done);
   case MT_FROM_STREAM: return pump_stream (x, w, done);
   }
   return MT_FAIL;
}

/* ---- from one blocking node to the next ---- */

int mt_sink_after (const MtExec *x, int at)
{
   for (uint32_t i = (uint32_t) (at + 1); i < x->node_count; i++)
      if (x->nodes[i]->sink)
         return (int) i;
   return (int) x->node_count - 1; /* no blocking node is left, so return the output */
}

/* Returns whether the blocks that may match the $match stages at the beginning are too small for
 * several threads to be worthwhile. */
static bool reads_little (const MtExec *x)
{
   uint64_t bytes = 0;
   for (size_t i = 0, n = mt_source_blocks (x->source); i < n && bytes < MT_PARALLEL_BYTES; i++) {
      MtBlock b;
      if (!mt_match_block (x->prune, x->source, i, x->root))
         continue;
      mt_source_block (x->source, i, &b);
      bytes += b.size;
   }
   return bytes < MT_PARALLEL_BYTES;
}

static unsigned useful_threads (const MtExec *x, int sink)
{
   unsigned threads = x->args.threads;
   if (!threads) {
      long n = sysconf (_SC_NPROCESSORS_ONLN);
      threads = n > 0 ? (unsigned) n : 1;
   }
   if (x->alone || x->from != MT_FROM_SOURCE || x->by_block ||
       x->stats.bytes_total < MT_PARALLEL_BYTES || !x->nodes[sink]->merge)
      return 1;
   for (int i = 0; i <= sink; i++)
      if (x->nodes[i]->serial)
         return 1;
   if (x->lookup && mt_lookup_unknown (x->lookup, MT_PARALLEL_BYTES) < MT_PARALLEL_BYTES)
      return 1;
   if (x->prune && reads_little (x))
      return 1;
   size_t blocks = mt_source_blocks (x->source);
   if (blocks == 0)
      return 1;
   return threads < blocks ? threads : (unsigned) blocks;
}

/* Calls the nodes up to `next`, the next blocking node, to push rows that they have held back,
 * beginning with the last of these nodes. *any: rows were pushed. */
static MtFlow pump_held (MtExec *x, int next, bool *any)
{
   for (int i = next; i > x->at; i--) {
      const MtExecNode *n = x->nodes[i];
      if (!n->pump || n->pos < x->main->stopped_at)
         continue;
      uint32_t was = x->main->timed;
      if (x->main->timing)
         mt_time_goes_to (x->main, n->id);
      MtFlow flow = n->pump (n, x->main, any);
      if (x->main->timing)
         mt_time_goes_to (x->main, was);
      if (flow != MT_GO || *any)
         return flow;
   }
   return MT_GO;
}

static MtFlow drain (const MtExecNode *n, MtWork *w, bool *done)
{
   uint32_t was = w->timed;
   if (w->timing)
      mt_time_goes_to (w, n->id);
   MtFlow flow = n->drain (n, w, done);
   if (w->timing)
      mt_time_goes_to (w, was);
   return flow;
}

static MtFlow pump_input (MtExec *x, int next, bool *done)
{
   MtWork *w = x->main;
   if (x->at >= 0 && x->at == x->start) {
      *done = true;
      return MT_GO;
   }
   if (x->at >= 0)
      return drain (x->nodes[x->at], w, done);
   if (!x->planned)
      x->top = mt_top_new (x, w);
   x->planned = true;
   unsigned threads = useful_threads (x, next);
   *done = threads > 1;
   return threads > 1 ? mt_run_parallel (x, x->nodes[next], threads) : pump_source (x, w, done);
}

static MtFlow finish_node (const MtExecNode *n, MtWork *w)
{
   uint32_t was = w->timed;
   if (w->timing)
      mt_time_goes_to (w, n->id);
   MtFlow flow = n->finish (n, w);
   if (w->timing)
      mt_time_goes_to (w, was);
   return flow;
}

/* Tells the nodes up to `next` that their input has ended, one after the other. Returns after a
 * node that has held back rows, so that it pushes them before the input of the node after it
 * ends. */
static MtFlow finish (MtExec *x, int next)
{
   while (x->finished < next) {
      const MtExecNode *n = x->nodes[++x->finished];
      if (n->finish && finish_node (n, x->main) == MT_FAIL)
         return MT_FAIL;
      if (n->pump && n->pos >= x->main->stopped_at)
         return MT_GO;
   }
   x->at = next;
   x->ended = next == (int) x->node_count - 1;
   x->input_over = false;
   return MT_GO;
}

static bool advance (MtExec *x)
{
   MtWork *w = x->main;
   int next = mt_sink_after (x, x->at);
   bool done = false, any = false;
   fresh_arena (w);
   if (!mt_x_poll (w))
      return false;
   MtFlow flow = pump_held (x, next, &any);
   if (flow == MT_GO && !any && !x->input_over)
      flow = pump_input (x, next, &done);
   else if (flow == MT_GO && !any)
      flow = finish (x, next);
   if (done || flow == MT_STOP)
      x->input_over = true;
   return flow != MT_FAIL;
}

bool mt_exec_advance (MtExec *x)
{
   const MtTextOrder *before = mt_x_collate (x->args.order);
   bool ok = advance (x);
   mt_x_collate (before);
   return ok;
}
