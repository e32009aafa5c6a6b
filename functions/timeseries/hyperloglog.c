/* hyperloglog: estimates the number of distinct values, in memory of a fixed size (base/hll.h). */
#include "functions/timeseries/sketch.h"

#include "base/hll.h"
#include "functions/core/rows.h"

#include <math.h>
#include <string.h>

/* A sketch of 2^bits registers. While it has few values, it has a sorted list of the used ones of
 * 2^PAIR_REGISTER_BITS finer registers instead, so that small counts are almost exact. Which form
 * it has depends only on the values, not on their order. */
typedef struct Hll {
   int32_t bits;    /* 0: no rows yet */
   uint32_t *pairs; /* in order: the register of 2^PAIR_REGISTER_BITS << RANK_BITS | rank */
   uint32_t count, cap;
   uint8_t *registers; /* all registers; NULL: the pairs */
} Hll;

#define RANK_BITS 6
#define RANK_MASK ((1u << RANK_BITS) - 1)
#define PAIR_REGISTER_BITS 26
#define PAIR_BYTES 4
#define MOST_PAIRS 8192u

static uint32_t registers_of (int bits) { return (uint32_t) 1 << bits; }

/* Returns the maximum length of the list of pairs, so that it takes no more memory than the
 * registers. */
static uint32_t most_pairs (int bits)
{
   uint32_t most = registers_of (bits) / PAIR_BYTES;
   return most < MOST_PAIRS ? most : MOST_PAIRS;
}

/* ---- registers ---- */

static void raise_rank (Hll *s, uint32_t at, uint8_t rank)
{
   if (s->registers[at] < rank)
      s->registers[at] = rank;
}

/* Enters a pair (a finer register and its rank) into the registers. The low bits of the finer
 * register's number become part of the rank. */
static void fold_pair (Hll *s, uint32_t pair)
{
   int more = PAIR_REGISTER_BITS - s->bits;
   uint32_t at = pair >> RANK_BITS, low = at & (registers_of (more) - 1);
   int rank = low ? __builtin_clz (low) - (32 - more) + 1 : (int) (pair & RANK_MASK) + more;
   raise_rank (s, at >> more, (uint8_t) rank);
}

static void use_registers (MtEval *ev, Hll *s)
{
   s->registers = MT_NEW_N (ev->arena, uint8_t, registers_of (s->bits));
   for (uint32_t i = 0; i < s->count; i++)
      fold_pair (s, s->pairs[i]);
}

static void add_pair (MtEval *ev, Hll *s, uint32_t pair)
{
   uint32_t lo = 0, hi = s->count, at = pair >> RANK_BITS;
   if (s->registers) {
      fold_pair (s, pair);
      return;
   }
   while (lo < hi) {
      uint32_t mid = (lo + hi) / 2;
      if (s->pairs[mid] >> RANK_BITS < at)
         lo = mid + 1;
      else
         hi = mid;
   }
   if (lo < s->count && s->pairs[lo] >> RANK_BITS == at) {
      s->pairs[lo] = pair > s->pairs[lo] ? pair : s->pairs[lo];
      return;
   }
   MT_GROW_IN (ev->arena, s->pairs, s->count, s->cap, 16);
   memmove (&s->pairs[lo + 1], &s->pairs[lo], (s->count - lo) * sizeof *s->pairs);
   s->pairs[lo] = pair;
   s->count++;
   if (s->count > most_pairs (s->bits))
      use_registers (ev, s);
}

/* ---- the state ---- */

static bool merge (MtEval *ev, void *into, const void *from)
{
   Hll *s = into;
   const Hll *f = from;
   if (!f->bits)
      return true;
   if (s->bits && s->bits != f->bits)
      return mt_sketch_differ ("hyperloglog", ev->err);
   s->bits = f->bits;
   if (f->registers && !s->registers)
      use_registers (ev, s);
   for (uint32_t i = 0; f->registers && i < registers_of (f->bits); i++)
      raise_rank (s, i, f->registers[i]);
   for (uint32_t i = 0; !f->registers && i < f->count; i++)
      add_pair (ev, s, f->pairs[i]);
   return true;
}

static bool write_state (MtEval *ev, const void *state, MtBson *b)
{
   const Hll *s = state;
   MtVal bytes = {.type = MT_BINARY};
   mt_bson_put (b, "buckets", mt_v_int32 ((int32_t) registers_of (s->bits)));
   if (s->registers) {
      bytes.len = registers_of (s->bits);
      bytes.p = s->registers;
   } else {
      uint8_t *p = MT_NEW_N (ev->arena, uint8_t, (size_t) s->count *PAIR_BYTES + 1);
      for (uint32_t i = 0; i < s->count * PAIR_BYTES; i++)
         p[i] = (uint8_t) (s->pairs[i / PAIR_BYTES] >> 8 * (i % PAIR_BYTES));
      bytes.len = s->count * PAIR_BYTES;
      bytes.p = p;
   }
   mt_bson_put (b, s->registers ? "registers" : "pairs", bytes);
   return s->bits > 0;
}

static bool read_registers (MtEval *ev, MtVal bytes, Hll *s)
{
   uint8_t any = 0, most = (uint8_t) MT_HLL_MAX_RANK (s->bits);
   if (bytes.len != registers_of (s->bits))
      return false;
   s->registers = MT_NEW_N (ev->arena, uint8_t, bytes.len);
   memcpy (s->registers, bytes.p, bytes.len);
   for (uint32_t i = 0; i < bytes.len; i++) {
      any |= s->registers[i];
      if (s->registers[i] > most)
         return false;
   }
   return any != 0;
}

static bool read_pairs (MtEval *ev, MtVal bytes, Hll *s)
{
   uint32_t count = bytes.len / PAIR_BYTES;
   if (bytes.len % PAIR_BYTES || !count || count > most_pairs (s->bits))
      return false;
   s->pairs = MT_NEW_N (ev->arena, uint32_t, count);
   s->count = s->cap = count;
   for (uint32_t i = 0; i < count; i++) {
      const uint8_t *p = bytes.p + (size_t) i * PAIR_BYTES;
      uint32_t pair = (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16 |
                      (uint32_t) p[3] << 24;
      uint32_t rank = pair & RANK_MASK;
      if (rank == 0 || rank > MT_HLL_MAX_RANK (PAIR_REGISTER_BITS) ||
          (i && pair >> RANK_BITS <= s->pairs[i - 1] >> RANK_BITS))
         return false;
      s->pairs[i] = pair;
   }
   return true;
}

static void read_state (MtEval *ev, MtSummaryReader *r, void *state)
{
   Hll *s = state;
   int64_t buckets = mt_read_int (r, "buckets");
   MtVal registers = mt_read_binary (r, "registers"), pairs = mt_read_binary (r, "pairs");
   r->ok = r->ok && buckets >= registers_of (MT_HLL_MIN_BITS) &&
           buckets <= registers_of (MT_HLL_MAX_BITS) && (buckets & (buckets - 1)) == 0 &&
           (registers.type == MT_NULL) != (pairs.type == MT_NULL);
   if (!r->ok)
      return;
   s->bits = __builtin_ctzll ((unsigned long long) buckets);
   r->ok = registers.type == MT_NULL ? read_pairs (ev, pairs, s)
                                     : read_registers (ev, registers, s);
}

static const MtStateKind HYPERLOGLOG = {MT_T_HYPERLOGLOG, sizeof (Hll), merge, write_state,
                                        read_state};

/* Returns the number of bits for a sketch: 2^bits is the smallest power of 2 that is at least
 * `buckets`. */
static int bits_of (int64_t buckets)
{
   int bits = MT_HLL_MIN_BITS;
   while (registers_of (bits) < buckets)
      bits++;
   return bits;
}

static bool step (MtEval *ev, void *state, const MtVal *args, int argc)
{
   Hll *s = state;
   uint8_t rank;
   (void) argc;
   if (!mt_sketch_buckets (args[0].i, registers_of (MT_HLL_MIN_BITS),
                           registers_of (MT_HLL_MAX_BITS), ev->err))
      return false;
   int bits = bits_of (args[0].i);
   if (s->bits && s->bits != bits)
      return mt_sketch_differ ("hyperloglog", ev->err);
   s->bits = bits;
   uint32_t at = mt_hll_register (mt_sketch_hash (args[1]), PAIR_REGISTER_BITS, &rank);
   add_pair (ev, s, at << RANK_BITS | rank);
   return true;
}

/* ---- accessors ---- */

static double count_of (const Hll *s)
{
   uint32_t of_rank[RANK_MASK + 1] = {registers_of (PAIR_REGISTER_BITS) - s->count};
   if (s->registers)
      return mt_hll_count (s->registers, s->bits);
   for (uint32_t i = 0; i < s->count; i++)
      of_rank[s->pairs[i] & RANK_MASK]++;
   return mt_hll_estimate (of_rank, PAIR_REGISTER_BITS);
}

static bool fn_hll_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Hll s = {0};
   (void) n;
   if (!mt_summary_read (ev, &HYPERLOGLOG, a[0], &s))
      return false;
   double count = round (count_of (&s));
   *out = mt_v_int64 (count < 0x1p63 ? (int64_t) count : INT64_MAX);
   return true;
}

static bool fn_hll_stderror (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Hll s = {0};
   (void) n;
   if (!mt_summary_read (ev, &HYPERLOGLOG, a[0], &s))
      return false;
   *out = mt_v_double (1.04 / sqrt ((double) registers_of (s.bits)));
   return true;
}

/* ---- rows ---- */

const MtFunc mt_fn_hyperloglog[] = {
   MT_ROW ("distinct_count", "hyperloglog hyperloglog -> int8", 0, NULL,
           MT_OPN ("hll_distinct_count", hll_count, 0),
           "number of different values of hyperloglog, about",
           "SELECT distinct_count(hyperloglog(1024, x)) FROM (VALUES (1), (2), (2)) AS t (x) => 2"),
   MT_ROW ("stderror", "hyperloglog hyperloglog -> float8", 0, NULL,
           MT_OPN ("hll_stderror", hll_stderror, 0), "relative standard error of distinct_count",
           "SELECT stderror(hyperloglog(1024, x)) FROM (VALUES (1), (2)) AS t (x) => 0.0325"),
   {.name = NULL},
};

const MtAgg mt_agg_hyperloglog[] = {
   {.name = "hyperloglog",
    .signature = "buckets int4, value any -> hyperloglog",
    .summary = "sketch for distinct_count with a number of registers from 16 to 262144, rounded up "
               "to a power of 2",
    .example = "SELECT distinct_count(hyperloglog(64, x)) FROM (VALUES ('a'), ('b'), ('a')) AS t "
               "(x) => 2",
    .state = &(const MtAggState) {.size = sizeof (Hll),
                                  .step = step,
                                  .merge = mt_summary_merge,
                                  .final = mt_summary_save,
                                  .save = mt_summary_save,
                                  .load = mt_summary_load,
                                  .ranks = true,
                                  .user = (void *) (uintptr_t) &HYPERLOGLOG}},
   MT_SUMMARY_ROLLUP ("hyperloglog", Hll, HYPERLOGLOG,
                      "SELECT distinct_count(rollup(s)) FROM (SELECT hyperloglog(64, x) AS s FROM "
                      "(VALUES (1, 1), (1, 3), (2, 3)) AS t (g, x) GROUP BY g) AS u => 2"),
   {.name = NULL},
};
