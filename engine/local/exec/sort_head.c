/* Heads of rows. A tiny key takes 4 bits. Another plain key takes 68: 4 for the rank of its type in
 * MongoDB's sort order, and 64 for its value. The first key that is not plain takes the rest of the
 * head, and later keys are not in the head. */
#include "engine/local/exec/sort_head.h"

#include "base/double_key.h"
#include "engine/local/expr/collation.h"
#include "engine/local/expr/op.h"

#include <endian.h>

#define HEAD_BITS 128u
#define WORD_BITS 64u
#define RANK_BITS 4u
#define TINY_BITS 4u
#define TINY_LEAST (-8)
#define TINY_MOST 7
/* The largest integer up to which doubles hold all integers. */
#define EXACT_MOST (INT64_C (1) << 53)

MtSortForm mt_sort_form (uint32_t count) { return (MtSortForm) {count, count, true}; }

static bool is_tiny (MtVal v)
{
   return v.type == MT_INT32 && v.i >= TINY_LEAST && v.i <= TINY_MOST;
}

static bool is_text (MtVal v) { return v.type == MT_STRING || v.type == MT_SYMBOL; }

static bool is_plain (MtVal v)
{
   switch (v.type) {
   case MT_MISSING:
   case MT_NULL:
   case MT_INT32:
   case MT_DOUBLE:
   case MT_BOOL:
   case MT_DATE:
   case MT_TIMESTAMP: return true;
   case MT_INT64: return v.i >= -EXACT_MOST && v.i <= EXACT_MOST;
   /* the head pads a text with zero bytes */
   case MT_STRING:
   case MT_SYMBOL: return !mt_x_order && v.len <= 8 && (!v.len || !memchr (v.p, 0, v.len));
   default: return false;
   }
}

bool mt_sort_admit (MtSortForm *form, const MtVal *keys)
{
   uint32_t tiny = 0, plain = 0;
   while (tiny < form->tiny && is_tiny (keys[tiny]))
      tiny++;
   while (plain < form->plain && is_plain (keys[plain]))
      plain++;
   bool changed = tiny < form->tiny || plain < form->plain;
   form->tiny = tiny;
   form->plain = plain;
   return changed;
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

/* A head that is being made. */
typedef struct Maker {
   MtSortHead head;
   unsigned used; /* bits of the head, counted from the highest one */
   bool exact;    /* all bits had room, or are 0 */
} Maker;

/* Appends the lowest n bits of `bits`, as they are or inverted. */
static void append (Maker *m, uint64_t bits, unsigned n, bool invert)
{
   uint64_t rest = bits << (WORD_BITS - n), ones = UINT64_MAX << (WORD_BITS - n);
   uint64_t put = invert ? ~rest & ones : rest;
   unsigned at = m->used;
   m->used = at + n < HEAD_BITS ? at + n : HEAD_BITS;
   if (at < WORD_BITS) {
      m->head.high |= put >> at;
      if (at + n <= WORD_BITS)
         return;
      put <<= WORD_BITS - at;
      rest <<= WORD_BITS - at;
      at = WORD_BITS;
   }
   if (at < HEAD_BITS)
      m->head.low |= put >> (at - WORD_BITS);
   if (at > WORD_BITS)
      m->exact &= at + n <= HEAD_BITS || !(at < HEAD_BITS ? rest << (HEAD_BITS - at) : rest);
}

/* Appends a key after the plain ones: its rank, and as much of its value as has room. */
static void append_part (Maker *m, MtVal v, bool invert)
{
   if (is_text (v) && !mt_x_order)
      for (uint32_t at = 0; at < v.len && m->used < HEAD_BITS; at += 8)
         append (m, first_bytes (v.p + at, v.len - at), WORD_BITS, invert);
   else
      append (m, bits_of (v), WORD_BITS, invert);
   /* a text is padded with zero bytes, in the order's direction */
   while (invert && m->used < HEAD_BITS)
      append (m, 0, HEAD_BITS - m->used < WORD_BITS ? HEAD_BITS - m->used : WORD_BITS, true);
   m->exact = false;
}

MtSortHead mt_sort_head (MtSortForm *form, const MtVal *keys, const int8_t *dirs, uint32_t count)
{
   Maker m = {.exact = true};
   uint32_t i = 0;
   for (; i < count && m.used < HEAD_BITS; i++) {
      bool invert = dirs[i] < 0;
      if (i < form->tiny) {
         append (&m, (uint64_t) (keys[i].i - TINY_LEAST), TINY_BITS, invert);
         continue;
      }
      int rank = mt_v_rank (keys[i].type); /* null and missing sort equal; missing has rank 0 */
      append (&m, rank < 0 ? 0 : (uint64_t) (rank + (rank == 0)), RANK_BITS, invert);
      if (i >= form->plain) {
         append_part (&m, keys[i], invert);
         break;
      }
      append (&m, bits_of (keys[i]), WORD_BITS, invert);
   }
   form->exact &= m.exact && i == count;
   return m.head;
}
