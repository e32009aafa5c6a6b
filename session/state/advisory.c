#include "session/state/advisory.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* How often a session holds an advisory lock. Each count is an array: [0] exclusive, [1] shared. */
typedef struct Held {
   MtSession *session;
   MtAdvisoryKey key;
   uint64_t session_count[2], transaction_count[2];
   /* how often the running statement has taken the lock: for the session (until it is released),
    * and for the transaction */
   uint64_t fresh_session[2], fresh_transaction[2];
   struct Held *next;
} Held;

/* A session that waits for a lock. */
typedef struct Waiter {
   MtSession *session;
   MtAdvisoryWant want;
   struct Waiter *next;
} Waiter;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Held *all;
static Waiter *waiters;

static bool same_key (MtAdvisoryKey a, MtAdvisoryKey b) { return a.key == b.key && a.two == b.two; }

/* Returns whether two sessions have the same target. A session without a target shares its store
 * with no other. */
static bool same_store (const MtSession *a, const MtSession *b)
{
   const char *x = a->options.target, *y = b->options.target;
   return a == b || (x && y && strcmp (x, y) == 0);
}

static bool has_mode (const Held *h, int mode)
{
   return h->session_count[mode] + h->transaction_count[mode] > 0;
}

/* Returns a lock of another session that conflicts with `want`, from the list element `from` on;
 * NULL: there is none. */
static const Held *in_the_way (const MtSession *s, const MtAdvisoryWant *want, const Held *from)
{
   for (const Held *h = from; h; h = h->next)
      if (h->session != s && same_key (h->key, want->key) && same_store (h->session, s) &&
          (has_mode (h, 0) || (!want->shared && has_mode (h, 1))))
         return h;
   return NULL;
}

static const Waiter *waiter_of (const MtSession *s)
{
   const Waiter *w = waiters;
   while (w && w->session != s)
      w = w->next;
   return w;
}

/* Returns whether a session for which s waits is `first`, or waits itself for `first`, through a
 * chain of at most `depth` sessions. With s = first: whether there is a deadlock. */
static bool waits_for (const MtSession *s, const MtSession *first, int depth)
{
   const Waiter *w = waiter_of (s);
   if (!w || depth == 0)
      return false;
   for (const Held *h = all; (h = in_the_way (s, &w->want, h)); h = h->next)
      if (h->session == first || waits_for (h->session, first, depth - 1))
         return true;
   return false;
}

static Held *own (MtSession *s, MtAdvisoryKey key)
{
   Held *h = all;
   while (h && (h->session != s || !same_key (h->key, key)))
      h = h->next;
   return h;
}

static void add (MtSession *s, const MtAdvisoryWant *want)
{
   Held *h = own (s, want->key);
   if (!h) {
      h = mt_calloc ("advisory lock", 1, sizeof *h);
      *h = (Held) {.session = s, .key = want->key, .next = all};
      all = h;
   }
   (want->transaction ? h->transaction_count : h->session_count)[want->shared]++;
   (want->transaction ? h->fresh_transaction : h->fresh_session)[want->shared]++;
}

/* Removes the list elements of session s whose counts are all 0. */
static void sweep (const MtSession *s)
{
   for (Held **at = &all; *at;) {
      Held *h = *at;
      if (h->session == s && !has_mode (h, 0) && !has_mode (h, 1)) {
         *at = h->next;
         free (h);
      } else
         at = &h->next;
   }
}

static void stop_waiting (const Waiter *w)
{
   Waiter **at = &waiters;
   while (*at != w)
      at = &(*at)->next;
   *at = w->next;
}

/* Waits until no other session's lock conflicts with `want`. The caller holds the mutex, which is
 * released between the checks. Fails after a deadlock, a timeout or a cancellation. */
static bool wait_for_it (MtSession *s, const MtAdvisoryWant *want, MtError *err)
{
   enum { STEP_NS = 5000000, MOST_DEPTH = 64 };
   int64_t timeout = s->settings.lock_timeout, until = timeout ? mt_now_ms () + timeout : 0;
   Waiter w = {s, *want, waiters};
   bool ok = true;
   waiters = &w;
   while (ok && in_the_way (s, want, all)) {
      if (waits_for (s, s, MOST_DEPTH))
         ok = mt_error (err, "40P01", "deadlock detected");
      else if (until && mt_now_ms () >= until)
         ok = mt_error (err, "55P03", "canceling statement due to lock timeout");
      if (!ok)
         break;
      pthread_mutex_unlock (&mutex);
      nanosleep (&(struct timespec) {.tv_nsec = STEP_NS}, NULL);
      ok = mt_cancel_check (&s->cancel, err);
      pthread_mutex_lock (&mutex);
   }
   stop_waiting (&w);
   return ok;
}

bool mt_advisory_take (MtSession *s, MtAdvisoryWant want, bool *taken, MtError *err)
{
   bool ok = true;
   pthread_mutex_lock (&mutex);
   *taken = !in_the_way (s, &want, all);
   if (!*taken && want.waits)
      *taken = ok = wait_for_it (s, &want, err);
   if (*taken)
      add (s, &want);
   s->has_advisory |= *taken;
   pthread_mutex_unlock (&mutex);
   return ok;
}

void mt_advisory_each (const MtSession *s, MtAdvisorySee see, void *ctx)
{
   pthread_mutex_lock (&mutex);
   for (const Held *h = all; h; h = h->next)
      for (int mode = 0; mode < 2; mode++)
         if (same_store (h->session, s) && has_mode (h, mode))
            see (ctx, h->key, mode == 1, true);
   for (const Waiter *w = waiters; w; w = w->next)
      if (same_store (w->session, s))
         see (ctx, w->want.key, w->want.shared, false);
   pthread_mutex_unlock (&mutex);
}

bool mt_advisory_release (MtSession *s, MtAdvisoryKey key, bool shared)
{
   pthread_mutex_lock (&mutex);
   Held *h = own (s, key);
   bool had = h && h->session_count[shared] > 0;
   if (had) {
      h->session_count[shared]--;
      h->fresh_session[shared] -= h->fresh_session[shared] > 0;
      sweep (s);
   }
   pthread_mutex_unlock (&mutex);
   return had;
}

void mt_advisory_release_all (MtSession *s)
{
   pthread_mutex_lock (&mutex);
   for (Held *h = all; h; h = h->next)
      if (h->session == s) {
         memset (h->session_count, 0, sizeof h->session_count);
         memset (h->fresh_session, 0, sizeof h->fresh_session);
      }
   sweep (s);
   pthread_mutex_unlock (&mutex);
}

void mt_advisory_end_transaction (MtSession *s)
{
   if (!s->has_advisory)
      return;
   pthread_mutex_lock (&mutex);
   for (Held *h = all; h; h = h->next)
      if (h->session == s) {
         memset (h->transaction_count, 0, sizeof h->transaction_count);
         memset (h->fresh_transaction, 0, sizeof h->fresh_transaction);
      }
   sweep (s);
   pthread_mutex_unlock (&mutex);
}

void mt_advisory_begin (MtSession *s, bool again)
{
   if (!s->has_advisory)
      return;
   pthread_mutex_lock (&mutex);
   for (Held *h = all; h; h = h->next)
      for (int mode = 0; mode < 2 && h->session == s; mode++) {
         h->session_count[mode] -= again ? h->fresh_session[mode] : 0;
         h->transaction_count[mode] -= again ? h->fresh_transaction[mode] : 0;
         h->fresh_session[mode] = h->fresh_transaction[mode] = 0;
      }
   sweep (s);
   pthread_mutex_unlock (&mutex);
}
