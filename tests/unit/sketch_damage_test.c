/* Stored sketches with changed fields and bytes: each function and rollup gives XX001, or a sound
 * result. */
#include "functions/core/rows.h"
#include "functions/timeseries/summary.h"
#include "query/aggregate.h"
#include "tests/unit/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* One kind of sketches: its aggregate and its rollup, and the functions that read it. */
typedef struct Kind {
   const MtAgg *agg, *rollup;
   const MtFunc *functions;
} Kind;

typedef struct Counts {
   int refused, read;
} Counts;

static MtArena *arena;
static uint64_t seed;

static MtEval eval (const void *user, MtError *err)
{
   mt_error_clear (err);
   return (MtEval) {.arena = arena, .err = err, .user = (void *) (uintptr_t) user};
}

/* ---- sound states ---- */

/* A state of n numbers. */
static MtVal state_of (const Kind *k, int buckets, int n)
{
   const MtAggState *s = k->agg->state;
   MtError err;
   MtEval ev = eval (s->user, &err);
   void *state = mt_alloc (arena, s->size);
   MtVal out;
   for (int i = 0; i < n; i++) {
      double x = ((double) random_below (&seed, 2001) - 1000) / 8;
      MtVal args[] = {mt_v_int32 (buckets), mt_v_double (0.01), mt_v_double (x)};
      if (strcmp (k->agg->name, "uddsketch") != 0)
         args[1] = args[2];
      assert_true (s->step (&ev, state, args, 3));
   }
   assert_true (s->final (&ev, state, &out));
   return out;
}

/* ---- damage ---- */

static MtVal other_value (MtVal v)
{
   static const double numbers[] = {0,     1,   -1,   2,    0.5,     1e-12,    5e-324,    1e18,
                                    1e300, -7., 1e15, 4096, 1 << 20, INFINITY, -INFINITY, NAN};
   static const int64_t integers[] = {0,         1,         -1,
                                      2,         5,         50,
                                      51,        63,        64,
                                      1024,      INT32_MAX, INT32_MIN,
                                      INT64_MAX, INT64_MIN, (int64_t) 1 << 52};
   uint8_t *bytes = MT_NEW_N (arena, uint8_t, (size_t) v.len + 8);
   switch (random_below (&seed, 8)) {
   case 0: return mt_v_null ();
   case 1: return mt_v_cstr ("1");
   case 2: return mt_v_missing ();
   case 3: return mt_v_bool (true);
   case 4: return mt_v_double (numbers[random_below (&seed, sizeof numbers / sizeof *numbers)]);
   case 5: return mt_v_int64 (integers[random_below (&seed, sizeof integers / sizeof *integers)]);
   default: break;
   }
   if (v.type == MT_INT32 || v.type == MT_INT64)
      return mt_v_int64 ((int64_t) ((uint64_t) v.i + random_below (&seed, 5) - 2));
   if (v.type == MT_DOUBLE)
      return mt_v_double (v.d * (random_below (&seed, 5) - 1.0));
   if (v.type != MT_BINARY || !v.len)
      return v;
   memcpy (bytes, v.p, v.len);
   bytes[random_below (&seed, v.len)] = (uint8_t) random_next (&seed);
   v.p = bytes;
   v.len = random_below (&seed, 3) ? v.len : random_below (&seed, v.len + 8);
   return v;
}

/* A copy with a changed field or element, or one less. */
static MtVal change (MtVal doc)
{
   MtStr keys[64], key;
   MtVal *v = MT_NEW_N (arena, MtVal, mt_doc_count (doc) + 1), e, out;
   MtDocIter it = mt_doc_iter (doc);
   MtError err;
   size_t n = 0;
   while (mt_doc_next (&it, &key, &e)) {
      if (doc.type == MT_DOC)
         keys[n] = key;
      v[n++] = e;
   }
   if (n) {
      size_t i = random_below (&seed, (uint32_t) n), j = random_below (&seed, (uint32_t) n);
      if (doc.type == MT_ARRAY && !random_below (&seed, 4)) { /* another order */
         e = v[i];
         v[i] = v[j];
         v[j] = e;
      } else if (doc.type == MT_ARRAY && !random_below (&seed, 4))
         n = i; /* fewer elements */
      else if (v[i].type == MT_ARRAY && random_below (&seed, 4))
         v[i] = change (v[i]);
      else
         v[i] = other_value (v[i]);
   }
   assert_true (doc.type == MT_DOC ? mt_v_make_doc (arena, keys, v, n, &out, &err)
                                   : mt_v_make_array (arena, v, n, &out, &err));
   return out;
}

/* A copy with a bit or a byte changed, anywhere. */
static MtVal flip (MtVal doc)
{
   uint8_t *p = MT_NEW_N (arena, uint8_t, doc.len);
   memcpy (p, doc.p, doc.len);
   for (uint32_t i = random_below (&seed, 3) + 1; i; i--) {
      uint32_t at = 4 + random_below (&seed, doc.len - 5);
      p[at] ^= (uint8_t) (random_below (&seed, 2) ? 1u << random_below (&seed, 8)
                                                  : random_next (&seed));
   }
   doc.p = p;
   return doc;
}

/* ---- what must hold ---- */

static void sound (const char *name, MtVal v)
{
   if (v.type == MT_DOUBLE && !isfinite (v.d))
      fail_msg ("%s gives %g", name, v.d);
   if (strcmp (name, "num_vals") == 0 || strcmp (name, "distinct_count") == 0)
      assert_true (v.type == MT_INT64 && v.i > 0);
   if (strcmp (name, "approx_percentile_rank") == 0 && !(v.d >= 0 && v.d <= 1))
      fail_msg ("%s gives %g", name, v.d);
}

static void call (const MtFunc *f, MtVal state, Counts *c)
{
   MtError err;
   MtEval ev = eval (f->op->user, &err);
   MtVal fractions[] = {mt_v_double (0), mt_v_double (0.3), mt_v_double (1)};
   MtVal args[] = {state, state}, out = mt_v_null ();
   if (strcmp (f->name, "approx_percentile_array") == 0)
      assert_true (mt_v_make_array (arena, fractions, 3, &args[0], &err));
   else if (strncmp (f->name, "approx", 6) == 0)
      args[0] = mt_v_double (random_below (&seed, 4) / 4.0);
   if (f->op->fn (&ev, args, strncmp (f->name, "approx", 6) == 0 ? 2 : 1, &out)) {
      sound (f->name, out);
      c->read++;
   } else if (strcmp (err.sqlstate, MT_E_CORRUPT) != 0)
      fail_msg ("%s: %s %s", f->name, err.sqlstate, err.message);
   else
      c->refused++;
}

/* A rollup of sound states and damaged ones is refused, or can be stored and read again. */
static void roll (const Kind *k, MtVal state, MtVal whole)
{
   const MtAggState *s = k->rollup->state;
   MtError err;
   MtEval ev = eval (s->user, &err);
   void *into = mt_alloc (arena, s->size), *other = mt_alloc (arena, s->size);
   MtVal out;
   Counts c = {0, 0};
   if (s->step (&ev, into, &state, 1) && s->step (&ev, into, &whole, 1) &&
       s->step (&ev, other, &state, 1) && s->merge (&ev, other, into) &&
       s->final (&ev, other, &out)) {
      for (const MtFunc *f = k->functions; f->name; f++)
         call (f, out, &c);
      assert_int_equal (c.refused, 0);
   } else if (strcmp (err.sqlstate, MT_E_CORRUPT) != 0 &&
              strcmp (err.sqlstate, MT_E_PARAMETER) != 0 &&
              strcmp (err.sqlstate, MT_E_NUMERIC_RANGE) != 0)
      fail_msg ("rollup: %s %s", err.sqlstate, err.message);
}

static void damage (const Kind *k, int buckets, int n)
{
   Counts c = {0, 0};
   MtArena *whole = mt_arena_new ("whole", NULL);
   arena = mt_arena_new ("damage", NULL);
   MtVal state = mt_v_copy (whole, state_of (k, buckets, n));
   for (const MtFunc *f = k->functions; f->name; f++)
      call (f, state, &c);
   assert_int_equal (c.refused, 0);
   for (int i = 0; i < 3000; i++) {
      mt_arena_reset (arena);
      MtVal bad = i % 3 ? change (state) : flip (state);
      for (int more = (int) random_below (&seed, 3); more; more--)
         bad = i % 3 ? change (bad) : bad;
      for (const MtFunc *f = k->functions; f->name; f++)
         call (f, bad, &c);
      roll (k, bad, state);
   }
   assert_true (c.refused > 1000 && c.read > 100);
   mt_arena_free (arena);
   mt_arena_free (whole);
}

static void all (const Kind *k, int least_buckets)
{
   static const int counts[] = {1, 3, 40, 2000};
   seed = 1;
   for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      damage (k, least_buckets, counts[i]);
      damage (k, 64, counts[i]);
   }
}

static void test_uddsketch (void **state)
{
   all (&(Kind) {&mt_agg_uddsketch[0], &mt_agg_uddsketch[2], mt_fn_uddsketch}, 5);
}

static void test_tdigest (void **state)
{
   all (&(Kind) {&mt_agg_tdigest[0], &mt_agg_tdigest[1], mt_fn_tdigest}, 1);
}

static void test_hyperloglog (void **state)
{
   all (&(Kind) {&mt_agg_hyperloglog[0], &mt_agg_hyperloglog[1], mt_fn_hyperloglog}, 16);
}

/* A state that goes to a file and comes back is as it was, also for the rows after. */
static void test_file (void **state)
{
   const MtAgg *aggs[] = {&mt_agg_uddsketch[0], &mt_agg_tdigest[0], &mt_agg_hyperloglog[0]};
   for (size_t i = 0; i < 3; i++) {
      const MtAggState *s = aggs[i]->state;
      MtError err;
      arena = mt_arena_new ("file", NULL);
      MtEval ev = eval (s->user, &err);
      void *kept = mt_alloc (arena, s->size), *moved = mt_alloc (arena, s->size);
      MtVal saved, a, b;
      for (uint64_t n = 0; n < 9000; n++) {
         MtVal x = mt_v_double ((double) (random_of (n) >> 40));
         MtVal args[] = {mt_v_int32 (20), i ? x : mt_v_double (0.01), x};
         assert_true (s->step (&ev, kept, args, 3) && s->step (&ev, moved, args, 3));
         if (n % 700 == 10) {
            assert_true (s->save (&ev, moved, &saved));
            moved = mt_alloc (arena, s->size);
            assert_true (s->load (&ev, moved, saved));
         }
      }
      assert_true (s->final (&ev, kept, &a) && s->final (&ev, moved, &b));
      assert_int_equal (mt_v_compare (a, b), 0);
      mt_arena_free (arena);
   }
}

/* The memory of a state is bounded, whatever the number of rows. */
static void test_memory (void **state)
{
   const Kind kinds[] = {{&mt_agg_uddsketch[0], NULL, NULL},
                         {&mt_agg_tdigest[0], NULL, NULL},
                         {&mt_agg_hyperloglog[0], NULL, NULL}};
   for (size_t i = 0; i < 3; i++) {
      const MtAggState *s = kinds[i].agg->state;
      MtError err;
      arena = mt_arena_new ("memory", NULL);
      MtEval ev = eval (s->user, &err);
      void *into = mt_alloc (arena, s->size);
      for (uint64_t n = 0; n < 300000; n++) {
         MtVal x = mt_v_double ((double) random_of (n) * exp ((double) (random_of (n + 1) % 100)));
         MtVal args[] = {mt_v_int32 (100), i ? x : mt_v_double (0.0001), x};
         assert_true (s->step (&ev, into, args, 3));
      }
      assert_true (mt_arena_bytes (arena) < 300000);
      mt_arena_free (arena);
   }
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (test_uddsketch),
                                      cmocka_unit_test (test_tdigest),
                                      cmocka_unit_test (test_hyperloglog),
                                      cmocka_unit_test (test_memory), cmocka_unit_test (test_file)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
