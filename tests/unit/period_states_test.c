/* Damaged states of state_agg and heartbeat_agg: each function that reads one gives a result or an
 * error with a known SQLSTATE, whatever was changed in its document. */
#include "base/bson.h"
#include "engine/local/group/state.h"
#include "functions/signature.h"
#include "tests/unit/random.h"

#include "types/datetime.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DAMAGED 6000
#define HOUR 3600000

static uint64_t seed = 20;
static size_t answers, refused;

/* ---- states ---- */

static void put_times (MtBson *b, const char *name, const int64_t *times, uint32_t n)
{
   size_t list = mt_bson_array (b, name);
   for (uint32_t i = 0; i < n; i++)
      mt_bson_put_at (b, i, mt_v_date (times[i]));
   mt_bson_end (b, list);
}

static MtVal finish (MtArena *a, MtBson *b)
{
   bson_t doc;
   assert_true (mt_bson_finish (b, &doc));
   MtVal v = mt_v_copy (a, mt_v_doc (&doc));
   mt_bson_free (b);
   return v;
}

static MtVal timeline (MtArena *a, bool ints)
{
   MtBson b = {0};
   mt_bson_start (&b);
   mt_bson_printf (&b, "k: 'stateagg', v: 1");
   put_times (&b, "t", (const int64_t[]) {0, 1000, 2000, 2000}, 4);
   size_t list = mt_bson_array (&b, "s");
   for (uint32_t i = 0; i < 4; i++)
      mt_bson_put_at (&b, i, ints ? mt_v_int64 (i % 3) : mt_v_str (&"abca"[i], 1));
   mt_bson_end (&b, list);
   mt_bson_put (&b, "end", mt_v_date (5000));
   return finish (a, &b);
}

static MtVal durations (MtArena *a)
{
   MtBson b = {0};
   mt_bson_start (&b);
   mt_bson_printf (&b, "k: 'compactstateagg', v: 1, s: ['a', 'b', 'c'], first: 'a', last: 'c'");
   size_t list = mt_bson_array (&b, "d");
   for (uint32_t i = 0; i < 3; i++)
      mt_bson_put_at (&b, i, mt_v_int64 (i * 1000));
   mt_bson_end (&b, list);
   mt_bson_put (&b, "start", mt_v_date (2000));
   mt_bson_put (&b, "end", mt_v_date (5000));
   return finish (a, &b);
}

static MtVal heartbeats (MtArena *a)
{
   MtBson b = {0};
   mt_bson_start (&b);
   mt_bson_printf (&b, "k: 'heartbeatagg', v: 1");
   mt_bson_put (&b, "start", mt_v_date (0));
   mt_bson_put (&b, "end", mt_v_date (HOUR));
   mt_bson_put (&b, "live", mt_v_int64 (60000));
   mt_bson_put (&b, "last", mt_v_date (HOUR - 1000));
   put_times (&b, "from", (const int64_t[]) {0, 120000, HOUR - 1000}, 3);
   put_times (&b, "to", (const int64_t[]) {60000, 200000, HOUR}, 3);
   return finish (a, &b);
}

/* ---- damage ---- */

/* Values that a document of another program, or a broken one, may have. */
static MtVal strange (void)
{
   static const int64_t numbers[] = {0,         1,         -1,        1000,        HOUR,
                                     INT32_MAX, INT64_MAX, INT64_MIN, MT_TS_FIRST, MT_TS_END - 1};
   int64_t i = numbers[random_below (&seed, 10)];
   switch (random_below (&seed, 8)) {
   case 0: return mt_v_null ();
   case 1: return mt_v_int64 (i);
   case 2: return mt_v_double (i % 2 ? 0.5 : (double) i);
   case 3: return mt_v_cstr ("a");
   case 4: return mt_v_missing ();
   default: return mt_v_date (i);
   }
}

/* Copies a document or an array, with a change in about one of `rare` values. */
static MtVal change (MtArena *a, MtVal from, uint32_t rare)
{
   MtVal vals[64], out;
   MtStr keys[64];
   size_t n = 0;
   MtError err = {0};
   for (MtDocIter it = mt_doc_iter (from); n < 60 && mt_doc_next (&it, &keys[n], &vals[n]); n++) {
      if (vals[n].type == MT_ARRAY && random_below (&seed, 3) == 0)
         vals[n] = change (a, vals[n], 3);
      else if (random_below (&seed, rare) == 0)
         vals[n] = strange ();
      if (from.type == MT_ARRAY && random_below (&seed, rare * 2) == 0) {
         keys[n + 1] = keys[n];
         vals[n + 1] = vals[n];
         n++;
      }
   }
   bool ok = from.type == MT_ARRAY ? mt_v_make_array (a, vals, n, &out, &err)
                                   : mt_v_make_doc (a, keys, vals, n, &out, &err);
   assert_true (ok);
   return out;
}

/* Changes fields, or bytes behind the first fields k and v. */
static MtVal damage (MtArena *a, MtVal state)
{
   if (random_below (&seed, 3))
      return change (a, state, 8);
   uint8_t *bytes = (uint8_t *) mt_strndup (a, (const char *) state.p, state.len);
   for (int i = 0; i < 3; i++)
      bytes[4 + random_below (&seed, state.len - 4)] ^= (uint8_t) (1u << random_below (&seed, 8));
   state.p = bytes;
   return state;
}

/* ---- calls ---- */

static void check_answer (bool ok, const MtError *err, const char *name)
{
   static const char *const known[] = {MT_E_CORRUPT, MT_E_PARAMETER, MT_E_DATETIME_RANGE};
   bool found = ok && !mt_error_is_set (err);
   answers += found;
   refused += !found;
   for (size_t i = 0; i < 3 && !found; i++)
      found = !ok && strcmp (err->sqlstate, known[i]) == 0;
   if (!found)
      fail_msg ("%s: %s %s", name, err->sqlstate, err->message);
}

/* An answer of a state that was accepted makes sense: no duration is negative, and no period ends
 * before it begins. */
static void check_result (const MtSig *sig, MtVal out, const char *name)
{
   MtVal row;
   MtStr key;
   if (sig->ret == MT_T_INTERVAL && mt_v_to_interval (out).us < 0)
      fail_msg ("%s: a negative duration", name);
   for (MtDocIter it = mt_doc_iter (out); out.type == MT_ARRAY && mt_doc_next (&it, &key, &row);) {
      bool beat = mt_doc_field (row, "start").type == MT_DATE;
      MtVal start = mt_doc_field (row, beat ? "start" : "start_time"),
            end = mt_doc_field (row, beat ? "end" : "end_time");
      if (start.i > end.i || mt_v_to_interval (mt_doc_field (row, "duration")).us < 0)
         fail_msg ("%s: a period that ends before it begins", name);
   }
}

static MtVal argument (MtArena *a, const MtSig *sig, int i, const MtVal *states)
{
   MtVal times[] = {mt_v_date (0), mt_v_date (HOUR / 2), mt_v_date (MT_TS_INFINITY)};
   switch (sig->args[i]) {
   case MT_T_STATEAGG:
   case MT_T_COMPACTSTATEAGG:
   case MT_T_HEARTBEATAGG: return states[i > 0];
   case MT_T_INT8: return mt_v_int64 (1);
   case MT_T_TIMESTAMPTZ: return times[random_below (&seed, 8) % 3];
   case MT_T_INTERVAL: return mt_v_interval (a, (MtInterval) {.us = INT64_C (1800000000)});
   default: return mt_str_is (sig->arg_names[i], "_zone") ? mt_v_cstr ("UTC") : mt_v_cstr ("a");
   }
}

static void call_functions (MtArena *a, MtTypeId type, const MtVal *states)
{
   size_t n;
   const MtFunc *f = mt_builtin_functions (&n);
   for (size_t i = 0; i < n; i++) {
      MtSig sig;
      MtVal args[MT_SIG_MAX_ARGS], out = mt_v_null ();
      MtError err = {0};
      if (!f[i].op || (f[i].flags & MT_F_CAST) || !strstr (f[i].signature, "agg ") ||
          !mt_sig_parse (f[i].name, f[i].signature, f[i].flags, &sig) || sig.args[0] != type)
         continue;
      for (int k = 0; k < sig.argc; k++)
         args[k] = argument (a, &sig, k, states);
      bool ok = mt_run_op ((MtEval) {.arena = a, .err = &err}, f[i].op, false, args, sig.argc,
                           &out);
      check_answer (ok, &err, f[i].name);
      check_result (&sig, out, f[i].name);
   }
}

/* Merges the states by rollup, in both orders, and saves and loads between. */
static void roll_up (MtArena *a, MtTypeId type, const MtVal *states)
{
   size_t n;
   const MtAgg *g = mt_builtin_aggregates (&n);
   for (size_t i = 0; i < n; i++) {
      MtSig sig;
      MtError err = {0};
      MtVal out = mt_v_null ();
      const MtAggState *s = g[i].state;
      if (!s || !mt_sig_parse (g[i].name, g[i].signature, g[i].flags, &sig) || sig.args[0] != type)
         continue;
      MtEval ev = {.arena = a, .err = &err, .user = s->user};
      void *one = mt_alloc (a, s->size), *two = mt_alloc (a, s->size),
           *back = mt_alloc (a, s->size);
      bool ok = s->step (&ev, one, &states[0], 1) && s->step (&ev, two, &states[1], 1) &&
                s->merge (&ev, one, two) && s->save (&ev, one, &out) && s->load (&ev, back, out) &&
                s->final (&ev, back, &out);
      check_answer (ok, &err, g[i].name);
   }
}

static void try_states (MtTypeId type, MtVal (*make) (MtArena *))
{
   MtArena *a = mt_arena_new ("period_states_test", NULL);
   answers = refused = 0;
   for (int i = 0; i < DAMAGED; i++) {
      MtVal whole = make (a), states[2] = {damage (a, whole), whole};
      if (i % 2)
         states[1] = damage (a, whole);
      call_functions (a, type, states);
      roll_up (a, type, states);
      mt_arena_reset (a);
   }
   print_message ("%zu answers, %zu errors\n", answers, refused);
   /* Most damage is found, and some changes give another state that is whole. */
   assert_true (answers > DAMAGED / 10 && refused > answers);
   mt_arena_free (a);
}

static MtVal texts (MtArena *a) { return timeline (a, false); }
static MtVal integers (MtArena *a) { return timeline (a, true); }

static void timelines (void **state)
{
   (void) state;
   try_states (MT_T_STATEAGG, texts);
   try_states (MT_T_STATEAGG, integers);
   try_states (MT_T_COMPACTSTATEAGG, durations);
}

static void beats (void **state)
{
   (void) state;
   try_states (MT_T_HEARTBEATAGG, heartbeats);
}

/* What isn't damaged is read: no function reports it as damaged. */
static void whole_states (void **state)
{
   MtArena *a = mt_arena_new ("period_states_test", NULL);
   const MtVal text[] = {timeline (a, false), timeline (a, false)},
               beat[] = {heartbeats (a), heartbeats (a)};
   (void) state;
   answers = 0;
   call_functions (a, MT_T_STATEAGG, text);
   assert_true (answers >= 7);
   answers = 0;
   call_functions (a, MT_T_COMPACTSTATEAGG, (const MtVal[]) {durations (a), durations (a)});
   assert_true (answers >= 2);
   answers = 0;
   call_functions (a, MT_T_HEARTBEATAGG, beat);
   assert_true (answers >= 6);
   mt_arena_free (a);
}

int main (void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test (whole_states), cmocka_unit_test (timelines),
                                      cmocka_unit_test (beats)};
   return cmocka_run_group_tests (tests, NULL, NULL);
}
