/* Workers. A worker is the state of a thread that runs a pipeline: time measurement, checks for
 * cancel, memory, and temporary files. */
#include "base/pcre.h"
#include "base/temporary.h"
#include "engine/local/expr/core.h"
#include "engine/local/expr/shape.h"

#include <stdlib.h>
#include <time.h>

/* ---- time ---- */

static inline uint64_t ticks (void)
{
#if defined(__x86_64__)
   return __builtin_ia32_rdtsc ();
#else
   struct timespec t;
   clock_gettime (CLOCK_MONOTONIC, &t);
   return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
#endif
}

void mt_time_goes_to (MtWork *w, uint32_t id)
{
   uint64_t now = ticks ();
   w->count[w->timed].ticks += now - w->timed_since;
   w->timed = id;
   w->timed_since = now;
}

MtFlow mt_next_timed (const MtExecNode *n, MtWork *w)
{
   uint32_t was = w->timed;
   mt_time_goes_to (w, n->next->id);
   MtFlow flow = n->next->push (n->next, w);
   mt_time_goes_to (w, was);
   return flow;
}

/* ---- cancel and progress ---- */

static void report (MtWork *w)
{
   MtExec *x = (MtExec *) w->exec;
   const MtProgress *p = x->args.progress;
   int64_t now = mt_now_ms ();
   if (now - x->reported_ms < 100)
      return;
   x->reported_ms = now;
   uint64_t done = atomic_load_explicit (&x->bytes_done, memory_order_relaxed) +
                   atomic_load_explicit (&x->bytes_ordered, memory_order_relaxed);
   /* The progress is limited to the total, because sorting counts estimates, whose sum may exceed
    * it. */
   uint64_t total = x->stats.bytes_total * (x->ordering ? 3 : 1);
   p->report (p->ctx, "running", total && done > total ? total : done, total, x->rows_out);
}

void mt_x_ordered (MtWork *w, const MtExecNode *n, double bytes)
{
   if (n == w->exec->ordering)
      atomic_fetch_add_explicit (&((MtExec *) w->exec)->bytes_ordered, (uint64_t) bytes,
                                 memory_order_relaxed);
}

bool mt_x_beyond_memory (MtError *err, const char *what, size_t bytes)
{
   mt_error (err, MT_E_OUT_OF_MEMORY, "%s exceed work_mem (%zu kB)", what, bytes >> 10);
   return mt_error_hint (err, "Raise work_mem.");
}

bool mt_x_poll (MtWork *w)
{
   if (w->exec->args.progress && w->exec->main == w)
      report (w);
   return (!w->exec->args.cancel || mt_cancel_check (w->exec->args.cancel, &w->err)) &&
          (!w->exec->source || mt_source_check (w->exec->source, &w->err));
}

#define POLL_US 2000
#define LONGEST_STRIDE 1024

bool mt_x_ticked (MtWork *w)
{
   int64_t now = mt_now_us (), took = now - w->polled_us;
   if (took > 2 * POLL_US)
      w->stride = w->polled_us && w->stride * POLL_US / took
                     ? (uint32_t) (w->stride * POLL_US / took)
                     : 1;
   else if (took < POLL_US / 2 && w->stride < LONGEST_STRIDE)
      w->stride *= 2;
   w->polled_us = now;
   w->next_poll = w->tick + w->stride;
   return mt_x_poll (w);
}

/* ---- memory ---- */

uint32_t mt_bytes_len (MtVal v)
{
   switch (v.type) {
   case MT_OID: return 12;
   case MT_DECIMAL: return 16;
   case MT_DEFERRED: return v.len;
   default: return mt_v_has_bytes (v.type) ? v.len : 0;
   }
}

MtVal mt_x_keep (MtWork *w, MtArena *a, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   if (n == 0 || mt_x_lasting (w, v.p))
      return v;
   return mt_x_own (a, v);
}

MtVal mt_x_own (MtArena *a, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   uint8_t *p = n ? mt_try_alloc (a, n) : NULL;
   if (n == 0)
      return v;
   if (!p)
      return mt_v_null ();
   v.p = memcpy (p, v.p, n);
   return v;
}

static const atomic_bool never;

/* Copies the values of the variables that the caller sets, and extracts the fields that nodes need.
 * Arrays made for such fields stay valid as long as the worker. */
static void take_given (MtWork *w)
{
   const MtExecGiven *g = w->exec->args.given;
   MtArena *rows = w->arena;
   MtCount count = {0};
   w->arena = w->lasting = g ? mt_arena_new ("variables", NULL) : NULL;
   for (uint32_t i = 0; g && i < g->count; i++) {
      const MtExecVar *var = w->exec->given[i];
      w->slots[var->slot] = g->values ? g->values[i] : mt_v_missing ();
      mt_bind (w, var, &count); /* if it fails, w->err is set */
   }
   w->arena = rows;
}

MtWork *mt_work_new (const MtExec *x)
{
   MtWork *w = mt_x_calloc (1, sizeof *w);
   w->exec = x;
   w->rows = 1;
   w->next_poll = w->stride = 1;
   w->stop = x->args.cancel ? &x->args.cancel->requested : &never;
   w->arena = mt_arena_new ("rows", NULL);
   w->slots = mt_x_calloc (x->slot_count + 1u, sizeof *w->slots);
   w->state = mt_x_calloc (x->all_nodes + 1u, sizeof *w->state);
   w->count = mt_x_calloc (x->all_nodes + 2u, sizeof *w->count);
   w->guess = mt_x_calloc ((size_t) (x->extract_count + 1) * MT_GUESSES, sizeof *w->guess);
   w->memos = mt_x_calloc (x->memo_count + 1u, sizeof *w->memos);
   w->regexes = mt_x_calloc (x->regex_count + 1u, sizeof *w->regexes);
   w->anywhere = (MtReader) {.lo = NULL, .span = SIZE_MAX, .err = &w->err};
   w->reader.err = &w->err;
   w->ev = (MtEval) {.arena = w->arena, .err = &w->err, .cancel = w->exec->args.cancel};
   w->timing = x->args.want_stats;
   w->timed = x->all_nodes; /* until the first row, time counts for the source */
   w->timed_since = w->timing ? ticks () : 0;
   take_given (w);
   return w;
}

void mt_work_free (MtWork *w)
{
   if (!w)
      return;
   for (uint32_t i = 0; i < w->exec->node_count; i++)
      if (w->exec->nodes[i]->drop && w->state[w->exec->nodes[i]->id])
         w->exec->nodes[i]->drop (w->exec->nodes[i], w);
   mt_arena_free (w->lasting);
   mt_arena_free (w->arena);
   mt_arena_free (w->scan);
   mt_reader_end (&w->reader);
   free (w->slots);
   free (w->state);
   free (w->count);
   free (w->guess);
   free (w->memos);
   for (uint32_t i = 0; w->regexes && i < w->exec->regex_count; i++)
      mt_pcre_free (&w->regexes[i]);
   free (w->regexes);
   mt_temporary_close (w->overflow);
   free (w->out.p);
   free (w);
}

/* ---- temporary files ---- */

void mt_pack (MtBson *b, MtVal v)
{
   uint32_t n = mt_bytes_len (v);
   mt_bson_bytes (b, &v, sizeof v);
   mt_bson_bytes (b, v.p, n);
}

bool mt_unpack (const uint8_t **p, const uint8_t *end, MtVal *out)
{
   if ((size_t) (end - *p) < sizeof *out)
      return false;
   memcpy (out, *p, sizeof *out);
   *p += sizeof *out;
   uint32_t n = mt_bytes_len (*out);
   if ((size_t) (end - *p) < n)
      return false;
   if (n)
      out->p = *p;
   *p += n;
   return true;
}

bool mt_spill_write (MtWork *w, FILE *f, const void *p, size_t n)
{
   w->count[w->timed].spilled += n;
   return mt_temporary_write (f, p, n, &w->err);
}

bool mt_spill_stream (MtWork *w, MtStreams *s, uint32_t number, const void *p, size_t n)
{
   w->count[w->timed].spilled += n;
   return mt_streams_write (s, number, p, n, &w->err);
}
