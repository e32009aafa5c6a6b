/* $bitsAllSet, $bitsAllClear, $bitsAnySet and $bitsAnyClear of the match language. */
#include "engine/local/expr/match_int.h"
#include "engine/local/expr/op_int.h"
#include "engine/local/expr/shape.h"

/* The bits to test. A number's sign bit counts for all further positions; binary data have zeros
 * there. */
struct MtMatchBits {
   bool set, any; /* set: bits must be 1, else 0. any: at least one bit must, else all */
   uint64_t mask; /* the wanted bits for integers */
   /* the bits for binary data: a mask of n bytes, or a list of n positions; the other pointer is
    * NULL */
   const uint8_t *bytes;
   uint32_t *positions;
   uint32_t n;
};

static bool parse_positions (MtCompile *c, const char *name, MtVal v, MtMatchBits *b)
{
   size_t n;
   MtVal *list = mt_v_elements (c->arena, v, &n);
   b->positions = MT_NEW_N (c->arena, uint32_t, n + 1);
   for (size_t i = 0; i < n; i++) {
      int64_t at;
      if (!mt_is_number (list[i]))
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "failed to parse bit position of %s: expected a number", name);
      if (!mt_op_whole (list[i], &at) || at > INT32_MAX)
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "failed to parse bit position of %s: expected an integer of 32 bits", name);
      if (at < 0)
         return mt_bad (c, MT_CODE_FAILED_TO_PARSE,
                        "failed to parse bit position of %s: expected a non-negative number", name);
      b->positions[b->n++] = (uint32_t) at;
      b->mask |= UINT64_C (1) << (at > 63 ? 63 : at);
   }
   return true;
}

static bool parse_number (MtCompile *c, const char *name, MtVal v, MtMatchBits *b)
{
   int64_t mask;
   if (!mt_op_whole (v, &mask))
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s expected an integer", name);
   if (mask < 0)
      return mt_bad (c, MT_CODE_FAILED_TO_PARSE, "%s expected a non-negative number", name);
   uint8_t *bytes = mt_alloc (c->arena, 8);
   for (int i = 0; i < 8; i++)
      bytes[i] = (uint8_t) (mask >> 8 * i);
   b->mask = (uint64_t) mask;
   b->bytes = bytes;
   b->n = 8;
   return true;
}

static void parse_bytes (MtCompile *c, MtVal v, MtMatchBits *b)
{
   v = mt_v_bytes (mt_v_copy (c->arena, v));
   b->bytes = v.p;
   b->n = v.len;
   for (uint32_t i = 0; i < v.len; i++)
      if (i < 8)
         b->mask |= (uint64_t) v.p[i] << 8 * i;
      else if (v.p[i])
         b->mask |= UINT64_C (1) << 63;
}

MtMatchBits *mt_match_bits (MtCompile *c, const char *name, MtVal v)
{
   MtMatchBits *b = MT_NEW (c->arena, MtMatchBits);
   b->any = strncmp (name, "$bitsAny", 8) == 0;
   b->set = strcmp (name + 8, "Set") == 0;
   if (v.type == MT_BINARY)
      parse_bytes (c, v, b);
   else if (v.type == MT_ARRAY && !parse_positions (c, name, v, b))
      return NULL;
   else if (mt_is_number (v) && !parse_number (c, name, v, b))
      return NULL;
   if (v.type == MT_BINARY || v.type == MT_ARRAY || mt_is_number (v))
      return b;
   mt_bad (c, MT_CODE_BAD_VALUE, "%s takes an Array, a number, or a BinData but received: %s", name,
           mt_v_type_name (v));
   return NULL;
}

static bool bit_of (MtVal data, uint32_t at)
{
   return at / 8 < data.len && data.p[at / 8] >> at % 8 & 1;
}

static bool test_bytes (const MtMatchBits *b, MtVal data)
{
   bool set = false, clear = false; /* a wanted bit is 1; a wanted bit is 0 */
   for (uint32_t i = 0; i < b->n; i++)
      if (b->positions) {
         bool is = bit_of (data, b->positions[i]);
         set = set || is;
         clear = clear || !is;
      } else {
         uint8_t byte = i < data.len ? data.p[i] : 0;
         set = set || (byte & b->bytes[i]);
         clear = clear || (~byte & b->bytes[i]);
      }
   bool wanted = b->set ? set : clear, other = b->set ? clear : set;
   return b->any ? wanted : !other;
}

int mt_match_bits_test (const MtMatch *m, MtVal v, MtWork *w)
{
   const MtMatchBits *b = m->bits;
   int64_t i;
   if (v.type == MT_BINARY)
      return test_bytes (b, mt_v_bytes (v));
   if (!mt_is_number (v) || !mt_op_whole (v, &i))
      return false;
   uint64_t found = (b->set ? (uint64_t) i : ~(uint64_t) i) & b->mask;
   return b->any ? found != 0 : found == b->mask;
}
