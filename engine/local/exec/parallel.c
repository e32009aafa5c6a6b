/* Runs a pipeline on several threads (workers). Each worker processes blocks one by one, and
 * collects rows in its own state of the first blocking node. At the end, these states are
 * merged. */
#include "engine/local/expr/core.h"
#include "base/thread.h"
#include "engine/local/exec/run.h"
#include "engine/local/exec/top.h"

#define MAX_THREADS 64

typedef struct Shared {
   MtExec *x;
   const MtExecNode *sink;
   atomic_size_t next_block;
   atomic_bool stop;
} Shared;

typedef struct Worker {
   pthread_t thread;
   Shared *shared;
   MtWork *w;
   MtFlow flow;
} Worker;

/* Pushes all documents of a block through the nodes, on worker w. */
static MtFlow one_block (MtWork *w, size_t block, atomic_bool *stop)
{
   MtBlockScan s = {.block = block, .stop = block + 1};
   bool done = false;
   while (!done && !atomic_load_explicit (stop, memory_order_relaxed)) {
      MtFlow flow = mt_scan (w, &s, 1024, &done);
      if (flow != MT_GO)
         return flow;
   }
   return MT_GO;
}

static void *work (void *arg)
{
   Worker *me = arg;
   Shared *sh = me->shared;
   size_t blocks = mt_source_blocks (sh->x->source);
   const MtTextOrder *before = mt_x_collate (sh->x->args.order);
   while (!atomic_load (&sh->stop)) {
      size_t i = atomic_fetch_add (&sh->next_block, 1);
      if (i >= blocks)
         break;
      me->flow = one_block (me->w, i, &sh->stop);
      if (me->flow != MT_GO) {
         atomic_store (&sh->stop, true);
         break;
      }
   }
   if (me->flow == MT_GO && sh->sink->settle && me->w->state[sh->sink->id])
      me->flow = sh->sink->settle (sh->sink, me->w);
   mt_x_collate (before);
   return NULL;
}

static void add_counts (MtWork *into, const MtWork *from)
{
   for (uint32_t i = 0; i <= into->exec->all_nodes; i++) {
      into->count[i].in += from->count[i].in;
      into->count[i].bytes += from->count[i].bytes;
      into->count[i].stored += from->count[i].stored;
      into->count[i].ticks += from->count[i].ticks;
      into->count[i].spilled += from->count[i].spilled;
   }
   into->blocks_read += from->blocks_read;
   into->blocks_pruned += from->blocks_pruned;
}

MtFlow mt_run_parallel (MtExec *x, const MtExecNode *sink, unsigned threads)
{
   Shared sh = {.x = x, .sink = sink};
   Worker workers[MAX_THREADS];
   unsigned n = threads < MAX_THREADS ? threads : MAX_THREADS, started = 1;
   MtFlow flow = MT_GO;
   /* The block that is read first is the most promising one. Often it has all needed rows, so the
    * other threads are not needed. */
   if (x->top) {
      flow = one_block (x->main, 0, &sh.stop);
      if (flow != MT_GO)
         return flow;
      atomic_store (&sh.next_block, 1);
      if (!mt_top_has_left (x->top, 1, MT_PARALLEL_BYTES))
         n = 1;
   }
   for (unsigned i = 0; i < n; i++)
      workers[i] = (Worker) {.shared = &sh, .w = i ? mt_work_new (x) : x->main};
   for (; started < n; started++)
      if (!mt_thread_start (&workers[started].thread, work, &workers[started]))
         break;
   work (&workers[0]);
   for (unsigned i = 1; i < started; i++)
      pthread_join (workers[i].thread, NULL);
   for (unsigned i = 0; i < n; i++) {
      if (workers[i].flow == MT_FAIL && flow != MT_FAIL) {
         flow = MT_FAIL;
         x->main->err = workers[i].w->err;
      }
   }
   for (unsigned i = 1; i < n; i++) {
      if (flow == MT_GO && workers[i].w->state[sink->id])
         flow = sink->merge (sink, x->main, workers[i].w);
      add_counts (x->main, workers[i].w);
      mt_work_free (workers[i].w);
   }
   return flow;
}
