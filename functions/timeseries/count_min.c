/* count_min_sketch: estimates how often each text occurs. The sketch is a table of counters. In
 * each row of the table, another hash of the text selects the counter that is incremented. The
 * estimate for a text is the least of its counters, which is never too small. Source: Cormode and
 * Muthukrishnan, "An improved data stream summary: the count-min sketch and its applications"
 * (2005).
 *
 * The hash for row i is SipHash-2-4 (Aumasson and Bernstein, 2012) of the text followed by a byte
 * 255, with the keys i + 1 and SEED, modulo the width. TimescaleDB's Toolkit uses the same
 * counters. */
#include "base/bytes.h"
#include "functions/core/rows.h"
#include "functions/timeseries/summary.h"

#include <math.h>
#include <string.h>

#define SEED UINT64_C (0x517cc1b727220a95)
#define MAX_COUNTERS 1000000

typedef struct Sketch {
   uint32_t width, depth; /* 0: no rows yet */
   int64_t *counters;     /* row by row */
} Sketch;

/* ---- SipHash ---- */

static uint64_t turn (uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static void sip_rounds (uint64_t v[4], int rounds)
{
   while (rounds-- > 0) {
      v[0] += v[1];
      v[2] += v[3];
      v[1] = turn (v[1], 13) ^ v[0];
      v[3] = turn (v[3], 16) ^ v[2];
      v[0] = turn (v[0], 32) + v[3];
      v[2] += v[1];
      v[3] = turn (v[3], 21) ^ v[0];
      v[1] = turn (v[1], 17) ^ v[2];
      v[2] = turn (v[2], 32);
   }
}

static void sip_word (uint64_t v[4], uint64_t word)
{
   v[3] ^= word;
   sip_rounds (v, 2);
   v[0] ^= word;
}

/* Returns the SipHash-2-4 of a text followed by a byte 255. */
static uint64_t sip_hash (uint64_t key, MtStr text)
{
   uint64_t v[] = {key ^ UINT64_C (0x736f6d6570736575), SEED ^ UINT64_C (0x646f72616e646f6d),
                   key ^ UINT64_C (0x6c7967656e657261), SEED ^ UINT64_C (0x7465646279746573)};
   const uint8_t *p = (const uint8_t *) text.p;
   uint8_t last[16] = {0};
   size_t whole = text.n / 8 * 8, rest = text.n - whole;
   for (size_t i = 0; i < whole; i += 8)
      sip_word (v, mt_get64 (p + i));
   if (rest)
      memcpy (last, p + whole, rest);
   last[rest] = 0xff;
   last[rest == 7 ? 15 : 7] = (uint8_t) (text.n + 1); /* the low byte of the length */
   sip_word (v, mt_get64 (last));
   if (rest == 7)
      sip_word (v, mt_get64 (last + 8));
   v[2] ^= 0xff;
   sip_rounds (v, 4);
   return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* ---- states ---- */

static int64_t *counter (const Sketch *s, uint32_t row, MtStr text)
{
   return &s->counters[(size_t) row * s->width + sip_hash (row + 1, text) % s->width];
}

/* Allocates the counters of a new sketch, or checks that an existing one has this size. Returns
 * false if the sizes differ, or if memory is exhausted. */
static bool sized (MtArena *a, Sketch *s, uint32_t width, uint32_t depth, MtError *err)
{
   if (!s->depth) {
      *s = (Sketch) {width, depth, MT_TRY_NEW_N (a, int64_t, (size_t) width *depth)};
      s->depth = s->counters ? depth : 0;
      return s->counters;
   }
   return (s->width == width && s->depth == depth) ||
          mt_error (err, MT_E_PARAMETER,
                    "error and probability must be the same in all rows and states");
}

static bool merge (MtEval *ev, void *into, const void *from)
{
   Sketch *s = into;
   const Sketch *other = from;
   if (!other->depth)
      return true;
   if (!sized (ev->arena, s, other->width, other->depth, ev->err))
      return false;
   for (size_t i = 0; i < (size_t) s->width * s->depth; i++)
      if (__builtin_add_overflow (s->counters[i], other->counters[i], &s->counters[i]))
         return mt_error (ev->err, MT_E_NUMERIC_RANGE, "bigint out of range");
   return true;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   const Sketch *s = state;
   (void) ev;
   mt_bson_put (b, "width", mt_v_int64 (s->width));
   mt_bson_put (b, "depth", mt_v_int64 (s->depth));
   size_t list = mt_bson_array (b, "counters");
   for (size_t i = 0; i < (size_t) s->width * s->depth; i++)
      mt_bson_put_at (b, (uint32_t) i, mt_v_int (s->counters[i]));
   mt_bson_end (b, list);
   return s->depth;
}

/* Returns whether the counters of a stored sketch are valid: none is negative, and all rows have
 * the same sum, because each text is counted once in each row. */
static bool same_sums (const Sketch *s)
{
   int64_t first = 0;
   for (uint32_t row = 0; row < s->depth; row++) {
      int64_t sum = 0;
      for (uint32_t i = 0; i < s->width; i++) {
         int64_t n = s->counters[(size_t) row * s->width + i];
         if (n < 0 || __builtin_add_overflow (sum, n, &sum))
            return false;
      }
      first = row ? first : sum;
      if (sum != first)
         return false;
   }
   return first > 0;
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Sketch *s = state;
   MtVal counters = mt_read_array (r, "counters"), v;
   MtDocIter it = mt_doc_iter (counters);
   MtStr name;
   int64_t width = mt_read_int (r, "width"), depth = mt_read_int (r, "depth");
   r->ok = r->ok && width > 0 && depth > 0 && width <= MAX_COUNTERS &&
           depth <= MAX_COUNTERS / width && mt_doc_count (counters) == (uint64_t) (width * depth) &&
           sized (ev->arena, s, (uint32_t) width, (uint32_t) depth, ev->err);
   for (size_t i = 0; r->ok && mt_doc_next (&it, &name, &v); i++)
      s->counters[i] = mt_read_element (r, NULL, MT_T_INT8, v).i;
   r->ok = r->ok && same_sums (s);
}

static const MtStateKind SKETCH = {MT_T_COUNTMINSKETCH, sizeof (Sketch), merge, write_state,
                                   read_state};

/* Adds a row to the state. Arguments: value, error, probability. */
static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Sketch *s = state;
   double error = args[1].d, probability = args[2].d;
   (void) argc;
   if (!(error > 0 && error < 1 && probability > 0 && probability < 1))
      return mt_error (ev->err, MT_E_PARAMETER, "error and probability must be between 0 and 1");
   double width = ceil (exp (1) / error), depth = ceil (log (1 / probability));
   if (width * depth > MAX_COUNTERS) {
      mt_error (ev->err, MT_E_PARAMETER, "the sketch needs more than %d counters", MAX_COUNTERS);
      return mt_error_hint (ev->err, "Use a greater error or probability.");
   }
   if (!sized (ev->arena, s, (uint32_t) width, (uint32_t) depth, ev->err))
      return false;
   for (uint32_t row = 0; row < s->depth; row++)
      ++*counter (s, row, mt_v_text (args[0]));
   return true;
}

/* ---- accessor and rows ---- */

/* Computes approx_count, an estimate of how often a text occurs. Arguments: text, sketch. */
static bool fn_approx_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Sketch s = {0};
   (void) n;
   if (!mt_summary_read (ev, &SKETCH, a[1], &s))
      return false;
   int64_t least = INT64_MAX;
   for (uint32_t row = 0; row < s.depth; row++) {
      int64_t count = *counter (&s, row, mt_v_text (a[0]));
      least = count < least ? count : least;
   }
   *out = mt_v_int64 (least);
   return true;
}

#define OF " FROM (VALUES ('a'), ('a'), ('b')) AS t (x)"

const MtFunc mt_fn_count_min[] = {
   MT_ROW ("approx_count", "item text, agg countminsketch -> int8", 0, NULL, MT_OP (approx_count),
           "estimate of how often a text occurs in count_min_sketch; never too small",
           "SELECT approx_count('a', count_min_sketch(x, 0.01, 0.01))" OF " => 2"),
   {.name = NULL},
};

const MtAgg mt_agg_count_min[] = {
   MT_SUMMARY_AGG ("count_min_sketch",
                   "value text, error float8, probability float8 -> countminsketch", step, Sketch,
                   SKETCH,
                   "state that estimates how often each text occurs: approx_count; an estimate is "
                   "too great by more than error times all rows with this probability",
                   "SELECT approx_count('a', count_min_sketch(x, 0.01, 0.01))" OF " => 2"),
   MT_SUMMARY_ROLLUP ("countminsketch", Sketch, SKETCH,
                      "SELECT approx_count('a', rollup(s)) FROM (SELECT count_min_sketch(x, 0.01, "
                      "0.01) AS s" OF " GROUP BY x) AS u => 2"),
   {.name = NULL},
};
