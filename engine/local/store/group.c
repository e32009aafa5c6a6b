/* Group commit: commits that hold only increments wait for each other, so that one sync serves
 * many.
 *
 * The records of waiting commits are kept in memory, and the store's lock stays held. A thread
 * writes them as one record when the first has waited MtStore.delay_ms, or when they are large.
 * Any other commit writes them before its own record. So a killed process loses only the commits
 * of the last delay_ms milliseconds.
 *
 * The thread changes nothing but the end of the manifest, and only while no other thread is
 * between mt_group_enter and mt_group_leave. */
#include "engine/local/store/manifest_int.h"
#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>

/* When the records of waiting commits have this many bytes, they are written at once. */
#define FLUSH_BYTES (1u << 20)

struct MtGroup {
   pthread_mutex_t mutex;
   pthread_cond_t wake;
   pthread_t thread;
   bool running, stop;
   MtBuf waiting;
   int64_t due_ms;
   /* The thread could not write the waiting commits. The next commit tries again and reports the
    * error. */
   bool failed;
};

void mt_group_enter (MtStore *s)
{
   if (s->group)
      pthread_mutex_lock (&s->group->mutex);
}

void mt_group_leave (MtStore *s)
{
   if (s->group)
      pthread_mutex_unlock (&s->group->mutex);
}

MtBuf *mt_group_waiting (MtStore *s)
{
   return s->group && s->group->waiting.n ? &s->group->waiting : NULL;
}

/* Writes the waiting commits to the manifest. The caller holds the mutex. */
static bool write_waiting (MtStore *s, MtError *err)
{
   MtGroup *g = s->group;
   bool unknown = false;
   if (g->waiting.n == 0)
      return true;
   if (!mt_manifest_commit (s, &g->waiting, &unknown, err)) {
      s->broken |= unknown;
      g->failed = true;
      return false;
   }
   mt_buf_clear (&g->waiting);
   g->failed = false;
   return true;
}

bool mt_store_is_whole (const MtStore *s, MtError *err)
{
   bool ok = true;
   for (size_t i = 0; ok && i < s->coll_count && mt_mapped_any_lost (); i++)
      ok = mt_mapped_check (s->colls[i]->map, err);
   return ok;
}

bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err)
{
   if (!mt_store_is_whole (s, err))
      return false;
   mt_group_enter (s);
   MtBuf *waiting = mt_group_waiting (s), all = {0};
   if (waiting) {
      mt_buf_add (&all, waiting->p, waiting->n);
      mt_buf_add (&all, s->record.p, s->record.n);
   }
   bool ok = mt_manifest_commit (s, waiting ? &all : &s->record, unknown, err);
   if (ok && waiting)
      mt_buf_clear (waiting);
   mt_group_leave (s);
   mt_buf_free (&all);
   return ok;
}

/* ---- the thread ---- */

static void *run (void *arg)
{
   MtStore *s = arg;
   MtGroup *g = s->group;
   MtError ignored; /* the next commit tries again and reports the error */
   pthread_mutex_lock (&g->mutex);
   while (!g->stop) {
      if (g->waiting.n == 0 || g->failed) {
         pthread_cond_wait (&g->wake, &g->mutex);
      } else if (g->waiting.n < FLUSH_BYTES && mt_now_ms () < g->due_ms) {
         mt_cond_wait_until (&g->wake, &g->mutex, g->due_ms);
      } else {
         mt_error_clear (&ignored);
         if (write_waiting (s, &ignored) && !s->busy)
            mt_store_unlock (s);
      }
   }
   pthread_mutex_unlock (&g->mutex);
   return NULL;
}

static bool start (MtStore *s, MtError *err)
{
   if (!s->group) {
      MtGroup *g = mt_calloc ("store", 1, sizeof *g);
      pthread_mutex_init (&g->mutex, NULL);
      mt_cond_init (&g->wake);
      s->group = g;
   }
   if (s->group->running)
      return true;
   s->group->running = mt_thread_start (&s->group->thread, run, s);
   return s->group->running ||
          mt_error (err, MT_E_OUT_OF_MEMORY, "could not start a thread for group commit");
}

/* ---- its users ---- */

bool mt_group_add (MtStore *s, const MtBuf *record, MtError *err)
{
   if (!start (s, err))
      return false;
   MtGroup *g = s->group;
   mt_group_enter (s);
   bool ok = !g->failed || write_waiting (s, err);
   if (ok) {
      bool first = g->waiting.n == 0;
      if (first)
         g->due_ms = mt_now_ms () + s->delay_ms;
      mt_buf_add (&g->waiting, record->p, record->n);
      if (first || g->waiting.n >= FLUSH_BYTES)
         pthread_cond_signal (&g->wake);
   }
   mt_group_leave (s);
   return ok;
}

bool mt_group_flush (MtStore *s, MtError *err)
{
   mt_group_enter (s);
   bool ok = !s->group || write_waiting (s, err);
   mt_group_leave (s);
   return ok;
}

void mt_group_close (MtStore *s)
{
   MtGroup *g = s->group;
   if (!g)
      return;
   pthread_mutex_lock (&g->mutex);
   g->stop = true;
   pthread_cond_signal (&g->wake);
   pthread_mutex_unlock (&g->mutex);
   if (g->running)
      pthread_join (g->thread, NULL);
   pthread_cond_destroy (&g->wake);
   pthread_mutex_destroy (&g->mutex);
   mt_buf_free (&g->waiting);
   free (g);
   s->group = NULL;
}
