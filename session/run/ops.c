/* SQL functions that change the session or wait: set_config, setseed, random after setseed,
 * pg_sleep. Here they replace the operators of the same names in functions/process.c, which have no
 * session. */
#include "session/state/advisory.h"
#include "session/core/sequence.h"
#include "session/run/run.h"
#include "session/state/session.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* Pipeline stages can run in several threads, so access to the session needs this mutex. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- random numbers, the same as PostgreSQL's for a seed: xoroshiro128**, seeded by splitmix64
 * ---- */

static uint64_t splitmix (uint64_t *state)
{
   uint64_t v = *state += UINT64_C (0x9E3779B97F4A7C15);
   v = (v ^ v >> 30) * UINT64_C (0xBF58476D1CE4E5B9);
   v = (v ^ v >> 27) * UINT64_C (0x94D049BB133111EB);
   return v ^ v >> 31;
}

static MtStr text_of (MtVal v) { return (MtStr) {(const char *) v.p, v.len}; }

static uint64_t rotate (uint64_t v, int bits) { return v << bits | v >> (64 - bits); }

static uint64_t xoroshiro (uint64_t s[2])
{
   uint64_t first = s[0], mixed = s[1] ^ s[0], out = rotate (first * 5, 7) * 9;
   s[0] = rotate (first, 24) ^ mixed ^ mixed << 16;
   s[1] = rotate (mixed, 37);
   return out;
}

static bool op_setseed (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtSession *s = ev->user;
   double seed = args[0].d;
   if (!(seed >= -1 && seed <= 1))
      return mt_error (ev->err, MT_E_PARAMETER,
                       "setseed parameter %g is out of allowed range [-1,1]", seed);
   pthread_mutex_lock (&lock);
   uint64_t from = (uint64_t) (int64_t) ((double) ((UINT64_C (1) << 52) - 1) * seed);
   s->random[0] = splitmix (&from);
   s->random[1] = splitmix (&from);
   s->seeded = true;
   pthread_mutex_unlock (&lock);
   mt_engine_set_threads (s->engine, 1); /* with one thread, each row always gets the same number */
   *out = mt_v_cstr ("");
   return true;
}

static bool op_random (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtSession *s = ev->user;
   pthread_mutex_lock (&lock);
   *out = mt_v_double (ldexp ((double) (xoroshiro (s->random) >> 12), -52));
   pthread_mutex_unlock (&lock);
   return true;
}

/* ---- waiting ---- */

static bool op_sleep (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   enum { STEP_MS = 10 };
   MtSession *s = ev->user;
   double seconds = args[0].d > 0 ? args[0].d : 0;
   int64_t end = mt_now_ms () + (seconds < 1e12 ? (int64_t) (seconds * 1000) : INT64_MAX / 2);
   for (int64_t left = end - mt_now_ms (); left > 0; left = end - mt_now_ms ()) {
      struct timespec t = {.tv_nsec = (left < STEP_MS ? left : STEP_MS) * 1000000};
      if (!mt_cancel_check (&s->cancel, ev->err))
         return false;
      nanosleep (&t, NULL);
   }
   *out = mt_v_cstr ("");
   return mt_cancel_check (&s->cancel, ev->err);
}

/* ---- settings ---- */

static bool op_set_config (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtSession *s = ev->user;
   const char *shown;
   if (mt_is_nullish (args[0]))
      return mt_error (ev->err, MT_E_NULL_NOT_ALLOWED, "SET requires parameter name");
   MtSettingChange change = {
      .name = mt_strndup (ev->arena, (const char *) args[0].p, args[0].len),
      .local = args[2].type == MT_BOOL && args[2].i,
   };
   if (!mt_is_nullish (args[1]))
      change.value = mt_strndup (ev->arena, (const char *) args[1].p, args[1].len);
   pthread_mutex_lock (&lock);
   bool ok = mt_change_setting (s, ev->arena, &change, &shown, ev->err);
   pthread_mutex_unlock (&lock);
   if (ok)
      *out = mt_v_cstr (shown);
   return ok;
}

/* ---- sequences ---- */

static bool op_nextval (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   MtSession *s = ev->user;
   int64_t v;
   pthread_mutex_lock (&lock);
   bool ok = mt_sequence_next (s, text_of (args[0]), &v, ev->err);
   pthread_mutex_unlock (&lock);
   if (ok)
      *out = mt_v_int64 (v);
   return ok;
}

static bool op_currval (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   int64_t v;
   if (!mt_sequence_current (ev->user, text_of (args[0]), &v, ev->err))
      return false;
   *out = mt_v_int64 (v);
   return true;
}

static bool op_lastval (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   int64_t v;
   if (!mt_sequence_last (ev->user, &v, ev->err))
      return false;
   *out = mt_v_int64 (v);
   return true;
}

static bool op_setval (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   bool called = argc < 3 || args[2].i;
   *out = mt_v_int64 (args[1].i);
   return mt_sequence_set (ev->user, text_of (args[0]), args[1].i, called, ev->err);
}

/* ---- advisory locks ---- */

/* Returns the key of an advisory lock from the SQL arguments: a bigint, or two integers. */
static MtAdvisoryKey key_of (const MtVal *args, int argc)
{
   if (argc < 2)
      return (MtAdvisoryKey) {args[0].i, false};
   return (MtAdvisoryKey) {(int64_t) ((uint64_t) (uint32_t) args[0].i << 32 | (uint32_t) args[1].i),
                           true};
}

static bool advisory (MtEval *ev, const MtVal *args, int argc, MtAdvisoryWant want, MtVal *out)
{
   bool taken;
   want.key = key_of (args, argc);
   if (!mt_advisory_take (ev->user, want, &taken, ev->err))
      return false;
   *out = want.waits ? mt_v_cstr ("") : mt_v_bool (taken);
   return true;
}

static bool release (MtEval *ev, const MtVal *args, int argc, bool shared, MtVal *out)
{
   bool had = mt_advisory_release (ev->user, key_of (args, argc), shared);
   *out = mt_v_bool (had);
   if (!had)
      mt_notice (ev->user, "WARNING", NULL, "you don't own a lock of type %s",
                 shared ? "ShareLock" : "ExclusiveLock");
   return true;
}

#define TAKE(name, ...) \
   static bool op_##name (MtEval *ev, const MtVal *args, int argc, MtVal *out) \
   { \
      return advisory (ev, args, argc, (MtAdvisoryWant) {__VA_ARGS__}, out); \
   }
TAKE (lock, .waits = true)
TAKE (lock_shared, .waits = true, .shared = true)
TAKE (xact_lock, .waits = true, .transaction = true)
TAKE (xact_lock_shared, .waits = true, .transaction = true, .shared = true)
TAKE (try_lock, .waits = false)
TAKE (try_lock_shared, .shared = true)
TAKE (try_xact_lock, .transaction = true)
TAKE (try_xact_lock_shared, .transaction = true, .shared = true)

static bool op_unlock (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   return release (ev, args, argc, false, out);
}

static bool op_unlock_shared (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   return release (ev, args, argc, true, out);
}

static bool op_unlock_all (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   mt_advisory_release_all (ev->user);
   *out = mt_v_cstr ("");
   return true;
}

/* ---- registration ---- */

#define ADVISORY(name_, op) \
   {.name = "$_mt_pg_" name_, .max_args = -1, .fn = op_##op, .flags = MT_OP_ALONE}

bool mt_register_session_ops (MtSession *s, MtError *err)
{
   static const MtOpRow rows[] = {
      {.name = "$_mt_setseed", .max_args = -1, .fn = op_setseed},
      {.name = "$_mt_random_seeded", .max_args = -1, .fn = op_random},
      {.name = "$_mt_sleep", .max_args = -1, .fn = op_sleep},
      {.name = "$_mt_set_config", .max_args = -1, .fn = op_set_config},
      {.name = "$_mt_nextval", .max_args = -1, .fn = op_nextval, .flags = MT_OP_ALONE},
      {.name = "$_mt_currval", .max_args = -1, .fn = op_currval, .flags = MT_OP_ALONE},
      {.name = "$_mt_lastval", .max_args = -1, .fn = op_lastval, .flags = MT_OP_ALONE},
      {.name = "$_mt_setval", .max_args = -1, .fn = op_setval, .flags = MT_OP_ALONE},
      ADVISORY ("advisory_lock", lock),
      ADVISORY ("advisory_lock_shared", lock_shared),
      ADVISORY ("advisory_xact_lock", xact_lock),
      ADVISORY ("advisory_xact_lock_shared", xact_lock_shared),
      ADVISORY ("try_advisory_lock", try_lock),
      ADVISORY ("try_advisory_lock_shared", try_lock_shared),
      ADVISORY ("try_advisory_xact_lock", try_xact_lock),
      ADVISORY ("try_advisory_xact_lock_shared", try_xact_lock_shared),
      ADVISORY ("advisory_unlock", unlock),
      ADVISORY ("advisory_unlock_shared", unlock_shared),
      ADVISORY ("advisory_unlock_all", unlock_all),
   };
   size_t n = sizeof rows / sizeof *rows;
   MtOpRow *own = MT_NEW_N (s->arena, MtOpRow, n + 1);
   for (size_t i = 0; i < n; i++) {
      own[i] = rows[i];
      own[i].user = s;
   }
   s->ops = own;
   return mt_engine_register_ops (s->engine, own, err);
}
