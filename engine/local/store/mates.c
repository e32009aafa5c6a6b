/* Coordinates the sessions of this process that have the same store open, as in a server with a
 * session for each client. Sessions wait for each other with a condition variable, which wakes them
 * at once. File locks are only needed between processes; who waits for a file lock must try again
 * and again.
 *
 * While one session syncs the log, others can append commits. Together they need only one further
 * sync, which begins when the running one ends. */
#include "engine/local/store/manifest_int.h"
#include "base/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

struct MtMates {
   MtMates *next;
   dev_t device; /* of the folder */
   ino_t inode;
   unsigned stores;
   pthread_mutex_t mutex;
   pthread_cond_t unlocked, synced;
   bool locked, syncing;
   /* The last commit that a session has synced. store_id is the id of its store, because a store
    * can be removed and another one created in the same folder. */
   uint64_t synced_seq, store_id;
};

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static MtMates *list;

static MtMates *find (const struct stat *st)
{
   for (MtMates *m = list; m; m = m->next)
      if (m->device == st->st_dev && m->inode == st->st_ino)
         return m;
   MtMates *m = mt_calloc ("store", 1, sizeof *m);
   *m = (MtMates) {.next = list, .device = st->st_dev, .inode = st->st_ino};
   pthread_mutex_init (&m->mutex, NULL);
   mt_cond_init (&m->unlocked);
   pthread_cond_init (&m->synced, NULL);
   return list = m;
}

/* Returns the shared state of all sessions with this store's folder, and registers s there at the
 * first call. Returns NULL if the folder can't be found. */
static MtMates *mates_of (MtStore *s)
{
   struct stat st;
   if (s->mates || stat (s->path, &st) != 0)
      return s->mates;
   pthread_mutex_lock (&list_mutex);
   s->mates = find (&st);
   s->mates->stores++;
   pthread_mutex_unlock (&list_mutex);
   return s->mates;
}

void mt_mates_leave (MtStore *s)
{
   MtMates *m = s->mates;
   s->mates = NULL;
   if (!m)
      return;
   pthread_mutex_lock (&list_mutex);
   if (--m->stores == 0) {
      MtMates **at = &list;
      while (*at != m)
         at = &(*at)->next;
      *at = m->next;
      pthread_mutex_destroy (&m->mutex);
      pthread_cond_destroy (&m->unlocked);
      pthread_cond_destroy (&m->synced);
      free (m);
   }
   pthread_mutex_unlock (&list_mutex);
}

bool mt_mates_lock (MtStore *s, int64_t until, MtError *err)
{
   enum { LOOK_EVERY_MS = 20 };
   MtMates *m = mates_of (s);
   if (!m)
      return true;
   int why = -1; /* it goes on */
   pthread_mutex_lock (&m->mutex);
   while (m->locked && why < 0) {
      int64_t now = mt_now_ms ();
      if (now >= until)
         why = EWOULDBLOCK;
      else if (!mt_cancel_check (s->cancel, err))
         why = 0;
      else
         mt_cond_wait_until (&m->unlocked, &m->mutex,
                             now + LOOK_EVERY_MS < until ? now + LOOK_EVERY_MS : until);
   }
   if (why < 0)
      m->locked = true;
   pthread_mutex_unlock (&m->mutex);
   errno = why < 0 ? 0 : why;
   return why < 0;
}

void mt_mates_unlock (MtStore *s)
{
   MtMates *m = s->mates;
   if (!m)
      return;
   pthread_mutex_lock (&m->mutex);
   m->locked = false;
   pthread_cond_signal (&m->unlocked);
   pthread_mutex_unlock (&m->mutex);
}

uint64_t mt_mates_begin_sync (MtStore *s, uint64_t seq)
{
   MtMates *m = mates_of (s);
   if (!m)
      return 0;
   pthread_mutex_lock (&m->mutex);
   while (m->syncing && (m->synced_seq < seq || m->store_id != s->store_id))
      pthread_cond_wait (&m->synced, &m->mutex);
   uint64_t synced = m->store_id == s->store_id ? m->synced_seq : 0;
   m->syncing |= synced < seq;
   pthread_mutex_unlock (&m->mutex);
   return synced;
}

void mt_mates_end_sync (MtStore *s, uint64_t seq)
{
   MtMates *m = s->mates;
   if (!m)
      return;
   pthread_mutex_lock (&m->mutex);
   m->syncing = false;
   if (seq && (seq > m->synced_seq || m->store_id != s->store_id)) {
      m->synced_seq = seq;
      m->store_id = s->store_id;
   }
   pthread_cond_broadcast (&m->synced);
   pthread_mutex_unlock (&m->mutex);
}
