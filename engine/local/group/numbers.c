/* Lists of the numbers that an accumulator keeps for one group. Each number is stored as a 64-bit
 * key that has the numbers' sort order.
 *
 * The key with a given rank is found without sorting. A first pass counts the keys by the highest
 * bits in which they differ. The next pass counts only the keys of the range that contains the
 * rank, by their next bits. When the range has few keys, they are copied and partitioned. The
 * passes need no memory but their counters.
 *
 * If there are many keys, and their groups can't be written to files, the keys are in mapped
 * files. */
#include "engine/local/group/accum_int.h"

#include "base/temporary.h"

/* The numbers of keys in the first and in the largest block of a list. Blocks are never moved or
 * copied. */
#define FIRST_PART 6u
#define LARGEST_PART 8190u
/* New blocks are in mapped files when the keys of a group already take more than one in
 * MEMORY_SHARE parts of work_mem, and more than LEAST_MEMORY bytes. Each file has one block, with
 * FILE_BYTES bytes. */
#define MEMORY_SHARE 64u
#define LEAST_MEMORY ((size_t) 256 << 10)
#define FILE_BYTES ((size_t) 1 << 20)
/* The number of bits by which a pass counts keys. */
#define DIGIT 12u
/* If there are at most this many keys in the range, they are copied, and the rank is found by
 * partitioning. */
#define FEW 2048u

struct MtNumbersPart {
   struct MtNumbersPart *before;
   uint32_t n, cap;
   uint64_t keys[];
};

static void unmap_part (void *part) { mt_temporary_unmap (part, FILE_BYTES); }

/* Makes a new block with room for `cap` keys, in memory or in a mapped file. Returns NULL with
 * w->err set on failure. */
static MtNumbersPart *new_part (MtGroupTable *t, MtNumbers *s, uint32_t cap, MtWork *w)
{
   size_t most = w->exec->args.work_mem / MEMORY_SHARE;
   MtNumbersPart *p;
   if (t->maps && s->n * sizeof *p->keys > (most > LEAST_MEMORY ? most : LEAST_MEMORY)) {
      p = mt_temporary_map (FILE_BYTES, &w->err);
      cap = (FILE_BYTES - sizeof *p) / sizeof *p->keys;
      if (p)
         mt_arena_defer (t->arena, unmap_part, p);
   } else {
      p = mt_try_alloc (t->arena, sizeof (MtNumbersPart) + (size_t) cap * sizeof *p->keys);
      mt_memory_check (&w->err);
   }
   if (!p)
      return NULL;
   p->before = s->last;
   p->n = 0;
   p->cap = cap;
   return s->last = p;
}

static uint32_t next_size (const MtNumbersPart *p)
{
   if (!p)
      return FIRST_PART;
   return p->cap < LARGEST_PART / 2 ? 2 * p->cap : LARGEST_PART;
}

bool mt_numbers_add (MtGroupTable *t, MtNumbers *s, uint64_t key, MtWork *w)
{
   MtNumbersPart *p = s->last;
   if (!p || p->n == p->cap)
      p = new_part (t, s, next_size (p), w);
   if (!p)
      return false;
   p->keys[p->n++] = key;
   s->n++;
   return true;
}

bool mt_numbers_each (const MtNumbers *s, MtNumbersFn *fn, void *ctx)
{
   for (const MtNumbersPart *p = s->last; p; p = p->before)
      if (!fn (ctx, p->keys, p->n))
         return false;
   return true;
}

bool mt_numbers_join (MtGroupTable *t, MtNumbers *into, const MtNumbers *from, MtWork *w)
{
   for (const MtNumbersPart *p = from->last; p; p = p->before) {
      if (!mt_tick (w))
         return false;
      for (uint32_t i = 0; i < p->n; i++)
         if (!mt_numbers_add (t, into, p->keys[i], w))
            return false;
   }
   return true;
}

void mt_numbers_save (const MtNumbers *s, MtBson *b)
{
   mt_bson_bytes (b, &s->n, sizeof s->n);
   for (const MtNumbersPart *p = s->last; p; p = p->before)
      mt_bson_bytes (b, p->keys, p->n * sizeof *p->keys);
}

bool mt_numbers_load (MtGroupTable *t, MtNumbers *s, const uint8_t **p, const uint8_t *end,
                      MtWork *w)
{
   uint64_t n;
   *s = (MtNumbers) {0};
   if ((size_t) (end - *p) < sizeof n)
      return false;
   memcpy (&n, *p, sizeof n);
   *p += sizeof n;
   if (n > (size_t) (end - *p) / sizeof n)
      return false;
   for (uint64_t i = 0; i < n; i++, *p += sizeof n)
      if (!mt_numbers_add (t, s, mt_get64 (*p), w))
         return false;
   return true;
}

/* ---- the key with a given rank ---- */

/* The range of keys that can still have the wanted rank: keys whose bits from bit `shift` up equal
 * `prefix`. The range has `n` keys; the wanted key has the rank `rank` among them. */
typedef struct Range {
   uint64_t prefix, n, rank;
   unsigned shift;
} Range;

/* Returns the bits of the key from bit `shift` up. shift may be 0 (all bits) to 64 (no bits). */
static inline uint64_t bits_from (uint64_t key, unsigned shift)
{
   return shift < 64 ? key >> shift : 0;
}

static void find_bounds (const MtNumbers *s, uint64_t *low, uint64_t *high)
{
   *low = UINT64_MAX;
   *high = 0;
   for (const MtNumbersPart *p = s->last; p; p = p->before)
      for (uint32_t i = 0; i < p->n; i++) {
         *low = p->keys[i] < *low ? p->keys[i] : *low;
         *high = p->keys[i] > *high ? p->keys[i] : *high;
      }
}

/* Counts the keys of the range by their next DIGIT bits, and narrows the range to the keys with the
 * rank. Returns false if the statement was cancelled. */
static bool narrow (const MtNumbers *s, Range *r, MtWork *w)
{
   uint32_t counts[1u << DIGIT] = {0};
   unsigned digit = r->shift < DIGIT ? r->shift : DIGIT, shift = r->shift - digit;
   for (const MtNumbersPart *p = s->last; p; p = p->before) {
      if (!mt_tick (w))
         return false;
      for (uint32_t i = 0; i < p->n; i++)
         if (bits_from (p->keys[i], r->shift) == r->prefix)
            counts[(p->keys[i] >> shift) & ((1u << digit) - 1)]++;
   }
   uint32_t at = 0;
   while (r->rank >= counts[at])
      r->rank -= counts[at++];
   r->n = counts[at];
   r->prefix = r->prefix << digit | at;
   r->shift = shift;
   return true;
}

/* Reorders the keys so that v[k] is the key with rank k. Smaller keys are before it, greater keys
 * after it. */
static void partition (uint64_t *v, size_t n, size_t k)
{
   size_t from = 0, to = n;
   while (to - from > 1) {
      uint64_t a = v[from], b = v[from + (to - from) / 2], c = v[to - 1];
      uint64_t low = a < b ? a : b, high = a < b ? b : a;
      uint64_t pivot = c > high ? high : c; /* the median of the three */
      pivot = pivot < low ? low : pivot;
      size_t i = from, j = to - 1;
      for (;; i++, j--) {
         while (v[i] < pivot)
            i++;
         while (v[j] > pivot)
            j--;
         if (i >= j)
            break;
         uint64_t swapped = v[i];
         v[i] = v[j];
         v[j] = swapped;
      }
      /* Keys before index i are at most the pivot, keys after index j are at least the pivot. */
      if (k < i)
         to = i;
      else if (i > j)
         from = i;
      else if (k == i)
         return;
      else
         from = i + 1;
   }
}

/* Returns the smallest key that is greater than all keys of the range. There must be one. */
static uint64_t next_behind (const MtNumbers *s, const Range *r)
{
   uint64_t next = UINT64_MAX;
   for (const MtNumbersPart *p = s->last; p; p = p->before)
      for (uint32_t i = 0; i < p->n; i++)
         if (p->keys[i] < next && bits_from (p->keys[i], r->shift) > r->prefix)
            next = p->keys[i];
   return next;
}

static bool take (const MtNumbers *s, const Range *r, MtWork *w, uint64_t *key, uint64_t *next)
{
   uint64_t *few = MT_TRY_NEW_N (w->arena, uint64_t, r->n);
   if (!few)
      return mt_memory_check (&w->err);
   size_t n = 0, k = (size_t) r->rank;
   for (const MtNumbersPart *p = s->last; p; p = p->before)
      for (uint32_t i = 0; i < p->n; i++)
         if (bits_from (p->keys[i], r->shift) == r->prefix)
            few[n++] = p->keys[i];
   partition (few, n, k);
   *key = few[k];
   *next = k + 1 < n ? few[k + 1] : *key;
   for (size_t i = k + 1; i < n; i++)
      *next = few[i] < *next ? few[i] : *next;
   return true;
}

bool mt_numbers_at (const MtNumbers *s, uint64_t rank, MtWork *w, uint64_t *key, uint64_t *next)
{
   uint64_t low, high;
   Range r = {0, s->n, rank, 64};
   if (s->n > FEW) {
      find_bounds (s, &low, &high);
      r.shift = low == high ? 0 : 64 - (unsigned) __builtin_clzll (low ^ high);
      r.prefix = bits_from (low, r.shift);
   }
   while (r.n > FEW && r.shift > 0)
      if (!narrow (s, &r, w))
         return false;
   *key = *next = r.prefix; /* right if all keys of the range are equal, or else replaced below */
   if (r.shift > 0 && !take (s, &r, w, key, next))
      return false;
   if (r.rank + 1 == r.n && rank + 1 < s->n)
      *next = next_behind (s, &r);
   return true;
}
