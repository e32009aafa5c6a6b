/* The sending thread: sends a batch of a plain step while the caller fills the next ones.
 *
 * The thread has at most one batch. Until mt_mongo_settle is called, only the thread may use the
 * connection and the step's state, so they need no locks. mt_mongo_ready and mt_mongo_flush call
 * mt_mongo_settle first. If a batch failed, mt_mongo_settle returns its error until the step is
 * rolled back. Between steps the thread has no batch.
 *
 * An idle thread gets a batch before it is full, so that the server can start early. If the step
 * had to wait for the preceding batch, the thread gets only full batches. */
#include "engine/mongo/write/write.h"

#include "base/memory.h"
#include "base/thread.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { EARLY_DOCUMENTS = 100 };

struct MtSender {
   pthread_t thread;
   pthread_mutex_t mutex; /* protects `has_job` and `quit` */
   pthread_cond_t changed;
   bool has_job, quit;
   atomic_bool done; /* equal to !has_job; can be read without the lock */
   /* The batch that the thread sends. Its name and coll are borrowed from the batch that is being
    * filled. */
   MtMongoBatch job;
   bool ok;
   MtError err;
   bool busy;   /* the thread has a batch, and mt_mongo_settle was not called yet */
   bool waited; /* the step waited for the last batch */
   bool failed; /* a batch of the step failed; `err` has the error */
   bool told;   /* a call has returned the error */
};

static void *run (void *ctx)
{
   MtMongo *m = ctx;
   MtSender *s = m->sender;
   pthread_mutex_lock (&s->mutex);
   for (;;) {
      while (!s->has_job && !s->quit)
         pthread_cond_wait (&s->changed, &s->mutex);
      if (s->quit)
         break;
      pthread_mutex_unlock (&s->mutex);
      mt_error_clear (&s->err);
      s->ok = mt_mongo_send (m, &s->job, &s->err);
      pthread_mutex_lock (&s->mutex);
      s->has_job = false;
      atomic_store_explicit (&s->done, true, memory_order_release);
      pthread_cond_broadcast (&s->changed);
   }
   pthread_mutex_unlock (&s->mutex);
   return NULL;
}

static void destroy (MtSender *s)
{
   pthread_cond_destroy (&s->changed);
   pthread_mutex_destroy (&s->mutex);
   free (s);
}

/* Starts the sending thread. Returns false if no thread could be started. */
static bool start (MtMongo *m)
{
   MtSender *s = m->sender = mt_calloc ("connection", 1, sizeof *s);
   pthread_mutex_init (&s->mutex, NULL);
   mt_cond_init (&s->changed);
   if (mt_thread_start (&s->thread, run, m))
      return true;
   destroy (s);
   m->sender = NULL;
   return false;
}

void mt_mongo_stop_sending (MtMongo *m)
{
   MtSender *s = m->sender;
   if (!s)
      return;
   mt_mongo_settle (m, NULL);
   pthread_mutex_lock (&s->mutex);
   s->quit = true;
   pthread_cond_broadcast (&s->changed);
   pthread_mutex_unlock (&s->mutex);
   pthread_join (s->thread, NULL);
   destroy (s);
   m->sender = NULL;
}

bool mt_mongo_is_sending (const MtMongo *m) { return m->sender && m->sender->busy; }

static void await (MtSender *s)
{
   pthread_mutex_lock (&s->mutex);
   s->waited = s->has_job;
   while (s->has_job)
      pthread_cond_wait (&s->changed, &s->mutex);
   pthread_mutex_unlock (&s->mutex);
   s->busy = false;
   s->failed = !s->ok;
}

bool mt_mongo_settle (MtMongo *m, MtError *err)
{
   MtSender *s = m->sender;
   if (!s || pthread_equal (pthread_self (), s->thread))
      return true;
   if (s->busy)
      await (s);
   if (s->failed && err) {
      *err = s->err;
      s->told = true;
   }
   return !s->failed;
}

bool mt_mongo_sent (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   return mt_mongo_settle (m, NULL) || m->sender->told || mt_mongo_settle (m, err);
}

void mt_mongo_forget_outcome (MtMongo *m)
{
   m->late = false;
   if (m->sender)
      m->sender->failed = m->sender->told = m->sender->waited = false;
}

static bool is_idle (const MtSender *s)
{
   return !s || (s->busy ? atomic_load_explicit (&s->done, memory_order_acquire) : !s->waited);
}

bool mt_mongo_failed_late (const MtEngine *e)
{
   const MtMongo *m = (const MtMongo *) e;
   return m->late || (m->sender && !m->sender->busy && m->sender->failed);
}

static bool send_here (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   m->late = !mt_mongo_send (m, b, err);
   return !m->late;
}

static bool hand_over (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   if (!mt_mongo_settle (m, err))
      return false;
   if (!m->sender && !start (m))
      return send_here (m, b, err);
   MtSender *s = m->sender;
   s->job = *b;
   b->ids = NULL;
   b->docs = (MtBuf) {0};
   b->count = b->bytes = 0;
   s->busy = true;
   pthread_mutex_lock (&s->mutex);
   atomic_store_explicit (&s->done, false, memory_order_relaxed);
   s->has_job = true;
   pthread_cond_broadcast (&s->changed);
   pthread_mutex_unlock (&s->mutex);
   return true;
}

bool mt_mongo_gathered (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   bool full = mt_mongo_batch_full (b);
   if (m->step != MT_STEP_PLAIN)
      return !full || (send_here (m, b, err) && mt_cancel_check (m->base.cancel, err));
   if (!full && (b->count < EARLY_DOCUMENTS || !is_idle (m->sender)))
      return true;
   return hand_over (m, b, err) && mt_cancel_check (m->base.cancel, err);
}
