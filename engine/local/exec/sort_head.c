/* Heads of rows. A tiny key takes 4 bits. The first key that is not tiny takes all remaining bits:
 * 4 for the rank of its type in MongoDB's sort order, and the others for its value. Later keys are
 * not in the head. */
#include "engine/local/exec/sort_head.h"

#include "base/double_key.h"
#include "engine/local/expr/collation.h"
#include "engine/local/expr/op.h"

#include <endian.h>

#define NIBBLE 4u
#define TINY_LEAST (-8)
#define TINY_MOST 7

uint32_t mt_sort_tiny (const MtVal *keys, uint32_t tiny)
{
   for (uint32_t i = 0; i < tiny; i++)
      if (keys[i].type != MT_INT32 || keys[i].i < TINY_LEAST || keys[i].i > TINY_MOST)
         return i;
   return tiny;
}

/* Returns the first 8 of the n bytes at p as a big-endian number. Missing bytes are 0. */
static uint64_t first_bytes (const uint8_t *p, size_t n)
{
   uint64_t head = 0;
   memcpy (&head, p, n < sizeof head ? n : sizeof head);
   return be64toh (head);
}

/* Integers and decimals are rounded to doubles. This keeps their order, but different numbers may
 * become equal. */
static uint64_t bits_of_double (double d) { return d != d ? 0 : mt_key_of_double (d + 0.0); }

/* Returns 64 bits of v that are in the order of values of the same type. */
static uint64_t bits_of (MtVal v)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64: return bits_of_double ((double) v.i);
   case MT_DOUBLE: return bits_of_double (v.d);
   case MT_DECIMAL: return bits_of_double (mt_op_double (v));
   case MT_STRING:
   case MT_SYMBOL: return mt_x_order || !v.len ? 0 : first_bytes (v.p, v.len);
   case MT_OID: return first_bytes (v.p, 12);
   case MT_BOOL: return (uint64_t) v.i << 63;
   case MT_DATE: return (uint64_t) v.i ^ UINT64_C (1) << 63;
   case MT_TIMESTAMP: return (uint64_t) v.i;
   default: return 0;
   }
}

uint64_t mt_sort_head (const MtVal *keys, const int8_t *dirs, uint32_t count, uint32_t tiny)
{
   uint64_t head = 0;
   unsigned left = 64;
   for (uint32_t i = 0; i < tiny; i++, left -= NIBBLE) {
      uint64_t nibble = (uint64_t) (keys[i].i - TINY_LEAST);
      head = head << NIBBLE | (dirs[i] > 0 ? nibble : 15 - nibble);
   }
   if (tiny >= count)
      return head << (left % 64);          /* left is 64 only without keys; then head is 0 */
   int rank = mt_v_rank (keys[tiny].type); /* null and missing sort equal; missing has rank 0 */
   uint64_t place = rank < 0 ? 0 : rank + (rank == 0);
   uint64_t rest = place << (left - NIBBLE) | bits_of (keys[tiny]) >> (64 - left + NIBBLE);
   if (dirs[tiny] < 0)
      rest = ~rest & (UINT64_MAX >> (64 - left));
   return tiny ? head << left | rest : rest;
}
