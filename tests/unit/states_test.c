/* Damaged states of two-step aggregates: whatever the bytes of a state, its functions and rollup
 * give a result or an error, and a state that they take is one that they take again. */
#include "base/bson.h"
#include "functions/agg.h"
#include "functions/core/row.h"
#include "functions/signature.h"
#include "tests/unit/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define ROUNDS 4000 /* for each state */

/* A state, and whether a change that makes it invalid is known: each must be XX001. */
typedef struct Case {
   const char *json;
   const char *bad[12];
} Case;

#define NMOST(values) \
   "{\"k\": \"minmaxnints\", \"v\": 1, \"n\": 3, \"order\": 1, \"values\": " values "}"
#define FLOATS(values) \
   "{\"k\": \"minmaxnfloats\", \"v\": 1, \"n\": 3, \"order\": -1, \"values\": " values "}"
#define TIMES(n, values) \
   "{\"k\": \"minmaxntimes\", \"v\": 1, \"n\": " n ", \"order\": 1, \"values\": " values "}"
#define BY(type, values, data) \
   "{\"k\": \"minmaxnbyints\", \"v\": 1, \"n\": 3, \"order\": -1, \"values\": " values \
   ", \"type\": " type ", \"data\": " data "}"
#define TEXTS(n, room, freq, values, counts, overs) \
   "{\"k\": \"spacesavingtextaggregate\", \"v\": 1, \"n\": " n ", \"counters\": " room \
   ", \"freq\": " freq ", \"values\": " values ", \"counts\": " counts ", \"overs\": " overs "}"
#define ANY(top, skew, type, values) \
   "{\"k\": \"spacesavingaggregate\", \"v\": 1, \"n\": 6, \"counters\": 12, \"skew\": " skew \
   ", \"top\": " top ", \"type\": " type ", \"values\": " values \
   ", \"counts\": [3, 2, 1], \"overs\": [0, 0, 0]}"
#define SKETCH(width, depth, counters) \
   "{\"k\": \"countminsketch\", \"v\": 1, \"width\": " width ", \"depth\": " depth \
   ", \"counters\": " counters "}"
#define DAY(n) "{\"$date\": \"2020-01-0" n "T00:00:00Z\"}"

static const Case cases[] = {
   {"{\"k\": \"statssummary1d\", \"v\": 1, \"n\": 2, \"sx\": 3, \"sx2\": 0.5, \"sx3\": 0, "
    "\"sx4\": 0.125}",
    {NULL}},
   {NMOST ("[1, 2, 2]"),
    {NMOST ("[2, 1]"), NMOST ("[]"), NMOST ("[1, 2, 3, 4]"), NMOST ("[1, null]"), NMOST ("[1.5]"),
     NMOST ("{}"), NMOST ("[\"1\"]")}},
   {FLOATS ("[1e300, 0.5, -1]"),
    {FLOATS ("[1, 2]"), FLOATS ("[true]"), FLOATS ("[1, {\"$numberDouble\": \"NaN\"}]")}},
   {TIMES ("3", "[" DAY ("1") ", " DAY ("2") "]"),
    {TIMES ("3", "[" DAY ("2") ", " DAY ("1") "]"), TIMES ("3", "[1]"),
     TIMES ("0", "[" DAY ("1") "]"), TIMES ("-1", "[" DAY ("1") "]"),
     TIMES ("1000001", "[" DAY ("1") "]"), TIMES ("1e99", "[" DAY ("1") "]")}},
   {BY ("\"text\"", "[2, 1, 1]", "[\"a\", \"b\", \"c\"]"),
    {BY ("\"text\"", "[2, 1, 1]", "[\"a\", \"c\", \"b\"]"), BY ("\"text\"", "[2, 1]", "[\"a\"]"),
     BY ("\"int4\"", "[2]", "[\"a\"]"), BY ("\"no\"", "[2]", "[\"a\"]"), BY ("3", "[2]", "[\"a\"]"),
     BY ("\"text\"", "[2]", "[null]"), BY ("\"text\"", "[2]", "[\"a\", \"b\"]"),
     BY ("\"text\"", "[1, 2]", "[\"a\", \"b\"]")}},
   {TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, 1]"),
    {TEXTS ("9", "2", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, 1]"),
     TEXTS ("8", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, 1]"),
     TEXTS ("9", "4", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, 1]"),
     TEXTS ("9", "3", "1.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, 1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"a\"]", "[4, 3, 2]", "[0, 2, 1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 2, 3]", "[0, 1, 1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 3, 1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2, -1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, -2]", "[0, 2, 1]"),
     TEXTS ("9", "3", "0.4", "[\"a\", \"b\", \"c\"]", "[4, 3, 2]", "[0, 2]"),
     TEXTS ("9223372036854775807", "2", "0.4", "[\"a\", \"b\"]",
            "[9223372036854775807, 9223372036854775807]", "[0, 0]")}},
   {ANY ("3", "1.1", "\"numeric\"", "[1, 2, 3]"),
    {ANY ("3", "1.0", "\"numeric\"", "[1, 2, 3]"), ANY ("0", "1.1", "\"numeric\"", "[1, 2, 3]"),
     ANY ("3", "1.1", "\"interval\"", "[1, 2, 3]"), ANY ("3", "1.1", "\"unknown\"", "[1, 2, 3]"),
     ANY ("3", "1.1", "\"jsonb\"", "[1, 2, 3]"), ANY ("3", "1.1", "\"text\"", "[1, 2, 3]"),
     ANY ("3", "1.1", "\"numeric\"", "[1, 2, 1]")}},
   {SKETCH ("3", "2", "[1, 0, 2, 0, 0, 3]"),
    {SKETCH ("3", "2", "[1, 0, 2, 0, 0, 4]"), SKETCH ("3", "2", "[1, 0, 2]"),
     SKETCH ("3", "2", "[4, -1, 0, 0, 0, 3]"), SKETCH ("3", "0", "[]"),
     SKETCH ("4294967296", "4294967296", "[]"), SKETCH ("3", "2", "[0, 0, 0, 0, 0, 0]"),
     SKETCH ("-3", "-2", "[1, 0, 2, 0, 0, 3]")}},
};

/* ---- calls ---- */

/* What was called, to show it after a failure. */
static int taken, refused;

/* An argument behind the state. Types of functions over states are few. */
static MtVal argument (const MtSig *sig, int i)
{
   if (sig->arg_names[i].n && sig->arg_names[i].p[0] == '_')
      return mt_v_cstr ("text");
   switch (sig->args[i]) {
   case MT_T_TEXT: return mt_v_cstr (strcmp (sig->name, "approx_count") ? "sample" : "a");
   case MT_T_INT4: return mt_v_int32 (2);
   case MT_T_INT8: return mt_v_int64 (2);
   case MT_T_FLOAT8: return mt_v_double (0.5);
   default: return sig->args[i] < MT_T_COUNT ? mt_v_null () : mt_v_cstr ("a");
   }
}

static MtEval eval (MtArena *a, MtError *err) { return (MtEval) {.arena = a, .err = err}; }

/* What takes a type of states. */
typedef struct Takers {
   MtTypeId type;
   const MtFunc *funcs[64];
   MtSig sigs[64];
   int count;
   const MtAgg *rollup;
} Takers;

static Takers takers_of (MtTypeId type)
{
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   Takers t = {.type = type};
   for (size_t i = 0; i < n; i++) {
      MtSig *sig = &t.sigs[t.count];
      bool takes = false;
      assert_true (mt_sig_parse (f[i].name, f[i].signature, f[i].flags, sig));
      for (int k = 0; k < sig->argc; k++)
         takes |= sig->args[k] == type;
      if (takes && f[i].op && !(f[i].flags & MT_F_CAST))
         t.funcs[t.count++] = &f[i];
      assert_true (t.count < 64);
   }
   const MtAgg *g = mt_builtin_aggregates (&n);
   for (size_t i = 0; i < n; i++) {
      MtSig sig;
      assert_true (mt_sig_parse (g[i].name, g[i].signature, 0, &sig));
      if (strcmp (g[i].name, "rollup") == 0 && sig.args[0] == type)
         t.rollup = &g[i];
   }
   assert_true (t.count > 0);
   assert_non_null (t.rollup);
   return t;
}

static bool call (MtArena *a, const Takers *t, int i, MtVal state, MtError *err)
{
   const MtSig *sig = &t->sigs[i];
   MtVal args[MT_SIG_MAX_ARGS], out = mt_v_null ();
   for (int k = 0; k < sig->argc; k++)
      args[k] = sig->args[k] == t->type ? state : argument (sig, k);
   return mt_run_op (eval (a, err), t->funcs[i]->op, !(t->funcs[i]->flags & MT_F_NOT_STRICT), args,
                     sig->argc, &out);
}

/* Merges a state twice, as rollup does. */
static bool roll_up (MtArena *a, const Takers *t, MtVal state, MtVal *out, MtError *err)
{
   const MtAggState *s = t->rollup->state;
   MtEval ev = eval (a, err);
   ev.user = s->user;
   void *sum = mt_alloc (a, s->size);
   return s->step (&ev, sum, &state, 1) && s->step (&ev, sum, &state, 1) &&
          s->final (&ev, sum, out);
}

static void expect (bool ok, const MtError *err, const char *name)
{
   static const char *const states[] = {"XX001", "22023", "22003", "42804"};
   bool known = ok;
   for (size_t i = 0; i < sizeof states / sizeof *states; i++)
      known |= !ok && strcmp (err->sqlstate, states[i]) == 0;
   if (!known)
      fail_msg ("%s: %s %s", name, err->sqlstate, err->message);
   taken += ok;
   refused += !ok;
}

static bool is_damaged (const MtError *err) { return strcmp (err->sqlstate, "XX001") == 0; }

/* Calls all that takes the state. A state that rollup takes is not damaged for any function, nor is
 * the result of rollup. */
static void try_state (MtArena *a, const Takers *t, MtVal state, int depth)
{
   MtVal sum = mt_v_null ();
   MtError err = {0};
   bool good = roll_up (a, t, state, &sum, &err), bad = !good && is_damaged (&err);
   expect (good, &err, "rollup");
   for (int i = 0; i < t->count; i++) {
      mt_error_clear (&err);
      bool ok = call (a, t, i, state, &err);
      expect (ok, &err, t->funcs[i]->name);
      if ((!ok && is_damaged (&err)) != bad) {
         MtBuf b = {0};
         mt_v_to_json (state, true, &b);
         fail_msg ("%s, rollup %d: %s", t->funcs[i]->name, bad, b.p);
      }
   }
   if (good && depth == 0)
      try_state (a, t, sum, 1);
}

/* ---- damage ---- */

static MtVal some_value (uint64_t *x)
{
   static const uint8_t empty[] = {5, 0, 0, 0, 0};
   MtVal pool[] = {mt_v_int32 (0),
                   mt_v_int32 (-1),
                   mt_v_int32 (1),
                   mt_v_int32 (3),
                   mt_v_int64 (INT64_MAX),
                   mt_v_int64 (INT64_MIN),
                   mt_v_int64 (UINT32_MAX),
                   mt_v_double (NAN),
                   mt_v_double (INFINITY),
                   mt_v_double (-0.5),
                   mt_v_double (1e300),
                   mt_v_cstr (""),
                   mt_v_cstr ("text"),
                   mt_v_cstr ("_text"),
                   mt_v_cstr ("document"),
                   mt_v_null (),
                   mt_v_bool (true),
                   mt_v_date (INT64_MIN),
                   mt_v_date (0),
                   {.type = MT_ARRAY, .len = 5, .p = empty},
                   {.type = MT_DOC, .len = 5, .p = empty}};
   return pool[random_below (x, sizeof pool / sizeof *pool)];
}

/* Changes one element or field of a document or an array, or of a part of it. */
static MtVal damaged (MtArena *a, MtVal doc, uint64_t *x, bool whole)
{
   size_t n = mt_doc_count (doc), at = random_below (x, (uint32_t) n + 1), m = 0;
   MtStr *keys = MT_NEW_N (a, MtStr, n + 2), key;
   MtVal *vals = MT_NEW_N (a, MtVal, n + 2), v, out;
   MtDocIter it = mt_doc_iter (doc);
   MtError err = {0};
   int how = (int) random_below (x, 5);
   for (size_t i = 0; mt_doc_next (&it, &key, &v); i++) {
      bool here = i == at && !(whole && mt_str_is (key, "k"));
      if (here && how == 0)
         continue;
      if (here && how == 1) {
         keys[m] = key;
         vals[m++] = v;
      }
      if (here && (how == 2 || v.type != MT_ARRAY))
         v = some_value (x);
      else if (here)
         v = damaged (a, v, x, false);
      keys[m] = key;
      vals[m++] = v;
   }
   if (how == 3 && m > 1 && !whole) {
      v = vals[at % m];
      vals[at % m] = vals[0];
      vals[0] = v;
   }
   assert_true (doc.type == MT_ARRAY ? mt_v_make_array (a, vals, m, &out, &err)
                                     : mt_v_make_doc (a, keys, vals, m, &out, &err));
   return out;
}

/* Changes some bytes behind the length. */
static MtVal broken (MtArena *a, MtVal doc, uint64_t *x)
{
   MtVal v = mt_v_copy (a, doc);
   uint8_t *p = mt_alloc (a, v.len);
   memcpy (p, v.p, v.len);
   for (uint32_t i = random_below (x, 3) + 1; i > 0; i--)
      p[4 + random_below (x, v.len - 4)] = (uint8_t) random_next (x);
   v.p = p;
   return v;
}

/* ---- tests ---- */

static MtVal state_of (MtArena *a, const char *json, MtTypeId *type)
{
   bson_error_t e;
   bson_t *b = bson_new_from_json ((const uint8_t *) json, -1, &e);
   if (!b)
      fail_msg ("%s: %s", json, e.message);
   MtVal v = mt_v_copy (a, mt_v_doc (b));
   bson_destroy (b);
   MtVal k = mt_doc_field (v, "k");
   assert_true (mt_type_by_name (mt_v_text (k), type));
   return v;
}

static void known_damage (void **state)
{
   (void) state;
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtArena *a = mt_arena_new ("states", NULL);
      MtTypeId type;
      MtError err = {0};
      MtVal sum, v = state_of (a, cases[i].json, &type);
      Takers t = takers_of (type);
      if (!roll_up (a, &t, v, &sum, &err))
         fail_msg ("%s: %s", cases[i].json, err.message);
      for (const char *const *bad = cases[i].bad; *bad; bad++) {
         mt_error_clear (&err);
         v = state_of (a, *bad, &type);
         if (roll_up (a, &t, v, &sum, &err) || !is_damaged (&err))
            fail_msg ("%s: %s", *bad, err.sqlstate);
      }
      mt_arena_free (a);
   }
}

static void random_damage (void **state)
{
   uint64_t x = 20200101;
   MtArena *a = mt_arena_new ("states", NULL);
   (void) state;
   for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      MtTypeId type = MT_T_UNKNOWN;
      state_of (a, cases[i].json, &type);
      Takers t = takers_of (type);
      for (int round = 0; round < ROUNDS; round++) {
         mt_arena_reset (a);
         MtVal v = state_of (a, cases[i].json, &type);
         for (uint32_t n = random_below (&x, 3) + 1; n > 0; n--)
            v = random_below (&x, 4) ? damaged (a, v, &x, true) : broken (a, v, &x);
         try_state (a, &t, v, 0);
      }
   }
   mt_arena_free (a);
   assert_true (taken > 1000);
   assert_true (refused > 10000);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (known_damage),
                                      cmocka_unit_test (random_damage)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
