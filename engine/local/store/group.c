/* Delayed sync of commits, so that several commits share one sync of the disk. Each commit is
 * written to the log at once, so a killed process loses none. A thread syncs the log when the
 * oldest unsynced commit has waited MtStore.delay_ms.
 *
 * Commits that contain only increments also stay hidden from other processes until then: the head
 * slot, which names the newest commit, is not written, and the writer's lock stays held. So such a
 * commit needs only one system call.
 *
 * The thread changes only the head slots and the numbers of synced commits. It runs only while no
 * other thread is between mt_group_enter and mt_group_leave. */
#include "engine/local/store/manifest_int.h"
#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>

struct MtGroup {
   pthread_mutex_t mutex;
   pthread_cond_t wake;
   pthread_t thread;
   bool running, stop;
   bool unsynced;  /* commits wait for the thread */
   bool unseen;    /* some of them have no slot yet, so the lock is held */
   int64_t due_ms; /* when the thread syncs */
   /* The thread's last sync failed. The next commit syncs again and reports the error. */
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

bool mt_group_waiting (const MtStore *s) { return s->group && s->group->unseen; }

/* Writes the head slot, if commits are hidden from other processes because it is not written yet.
 * The caller holds the mutex. */
static bool publish (MtStore *s, MtError *err)
{
   MtGroup *g = s->group;
   if (g && g->unseen && !mt_head_write (s, err)) {
      g->failed = true;
      return false;
   }
   if (g)
      g->unseen = false;
   return true;
}

/* Writes the head slot if needed, and syncs the log. If s->group isn't NULL, the caller holds its
 * mutex. */
static bool sync_now (MtStore *s, MtError *err)
{
   if (!publish (s, err) || !mt_manifest_sync (s, s->seq, err))
      return false;
   if (s->group)
      s->group->unsynced = s->group->failed = false;
   return true;
}

/* Syncs the log if any commit is not synced, and remembers a failure in `failed`. The caller holds
 * the mutex. */
static bool sync_waiting (MtStore *s, MtError *err)
{
   if (!s->group->unsynced || sync_now (s, err))
      return true;
   s->group->failed = true;
   return false;
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
   *unknown = false;
   if (!mt_store_is_whole (s, err))
      return false;
   mt_group_enter (s);
   bool ok = mt_manifest_commit (s, &s->record, true, unknown, err);
   if (ok && s->group)
      s->group->unseen = false; /* the slot names the commits before, too */
   mt_group_leave (s);
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
      if (!g->unsynced || g->failed) {
         pthread_cond_wait (&g->wake, &g->mutex);
      } else if (mt_now_ms () < g->due_ms) {
         mt_cond_wait_until (&g->wake, &g->mutex, g->due_ms);
      } else {
         mt_error_clear (&ignored);
         if (sync_waiting (s, &ignored) && !s->busy)
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

/* ---- functions for the store: adding commits and waiting for their sync ---- */

/* Notes that there is an unsynced commit, and sets the time of the thread's next sync. The caller
 * holds the mutex. */
static void later (MtStore *s)
{
   MtGroup *g = s->group;
   if (g->unsynced)
      return;
   g->unsynced = true;
   g->due_ms = mt_now_ms () + s->delay_ms;
   pthread_cond_signal (&g->wake);
}

bool mt_group_add (MtStore *s, bool *unknown, MtError *err)
{
   if (!start (s, err))
      return false;
   MtGroup *g = s->group;
   mt_group_enter (s);
   bool ok = (!g->failed || sync_waiting (s, err)) &&
             mt_manifest_commit (s, &s->record, false, unknown, err);
   if (ok) {
      g->unseen = true;
      later (s);
   }
   mt_group_leave (s);
   return ok;
}

bool mt_group_settle (MtStore *s, MtError *err)
{
   if (s->temporary)
      return true;
   bool wait = s->delay_ms > 0 && start (s, err), ok;
   if (s->delay_ms > 0 && !wait)
      return false;
   mt_group_enter (s);
   if (wait) {
      ok = !s->group->failed || sync_waiting (s, err);
      if (ok)
         later (s);
   } else {
      ok = sync_now (s, err);
   }
   mt_group_leave (s);
   return ok;
}

bool mt_group_flush (MtStore *s, MtError *err)
{
   mt_group_enter (s);
   bool ok = !s->group || sync_waiting (s, err);
   mt_group_leave (s);
   return ok;
}

bool mt_group_publish (MtStore *s, MtError *err)
{
   mt_group_enter (s);
   bool ok = publish (s, err);
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
   free (g);
   s->group = NULL;
}
