/* Functions of text: joining, character codes, hashes. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "types/numeric.h"
#include "types/tz.h"

#include <stdio.h>
#include <string.h>

/* ---- joining ---- */

static bool fn_concat_op (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t size = (size_t) a[0].len + a[1].len;
   char *p = mt_value_fits (size) ? mt_try_alloc (ev->arena, size + 1) : NULL;
   if (!p)
      return mt_memory_check (ev->err);
   memcpy (p, a[0].p, a[0].len);
   memcpy (p + a[0].len, a[1].p, a[1].len);
   *out = mt_v_str (p, (size_t) a[0].len + a[1].len);
   return true;
}

/* concat. Analysis has cast all arguments to text. */
static bool fn_concat (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   for (int i = 0; i < n; i++)
      if (!mt_is_nullish (a[i]))
         mt_buf_add (&b, a[i].p, a[i].len);
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_concat_ws (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   MtBuf b = {0};
   bool first = true;
   *out = mt_v_null ();
   if (mt_is_nullish (a[0]))
      return true;
   for (int i = 1; i < n; i++) {
      if (mt_is_nullish (a[i]))
         continue;
      if (!first)
         mt_buf_add (&b, a[0].p, a[0].len);
      first = false;
      mt_buf_add (&b, a[i].p, a[i].len);
   }
   *out = mt_text_result (ev, &b);
   return true;
}

static bool fn_bytea_concat (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   fn_concat_op (ev, a, n, out);
   out->type = MT_BINARY;
   out->sub = 0;
   return true;
}

/* ---- codes ---- */

static bool fn_ascii (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const uint8_t *p = a[0].p;
   uint32_t c = a[0].len ? p[0] : 0;
   if (c >= 0xF0 && a[0].len > 3)
      c = (c & 7) << 18 | (uint32_t) (p[1] & 63) << 12 | (uint32_t) (p[2] & 63) << 6 | (p[3] & 63);
   else if (c >= 0xE0 && a[0].len > 2)
      c = (c & 15) << 12 | (uint32_t) (p[1] & 63) << 6 | (p[2] & 63);
   else if (c >= 0xC0 && a[0].len > 1)
      c = (c & 31) << 6 | (p[1] & 63);
   *out = mt_v_int32 ((int32_t) c);
   return true;
}

static bool fn_chr (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t c = a[0].i;
   char *p = mt_alloc (ev->arena, 5);
   if (c < 0)
      return mt_error (ev->err, MT_E_LIMIT, "character number must be positive");
   if (c == 0)
      return mt_error (ev->err, MT_E_LIMIT, "null character not permitted");
   if (c > 0x10FFFF)
      return mt_error (ev->err, MT_E_LIMIT, "requested character too large for encoding: %lld",
                       (long long) c);
   if (c >= 0xD800 && c <= 0xDFFF)
      return mt_error (ev->err, MT_E_LIMIT, "requested character not valid for encoding: %lld",
                       (long long) c);
   *out = mt_v_str (p, mt_utf8_put (p, (uint32_t) c));
   return true;
}

static bool fn_to_hex (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   char *s = MT_USER (ev) ? mt_printf (ev->arena, "%llx", (unsigned long long) a[0].i)
                          : mt_printf (ev->arena, "%x", (unsigned) a[0].i);
   *out = mt_v_cstr (s);
   return true;
}

/* ---- MD5 (RFC 1321) ---- */

static uint32_t rotate (uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

static void md5_block (uint32_t s[4], const uint8_t *p)
{
   static const uint32_t k[64] = {
      0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613,
      0xfd469501, 0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193,
      0xa679438e, 0x49b40821, 0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d,
      0x02441453, 0xd8a1e681, 0xe7d3fbc8, 0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed,
      0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a, 0xfffa3942, 0x8771f681, 0x6d9d6122,
      0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70, 0x289b7ec6, 0xeaa127fa,
      0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665, 0xf4292244,
      0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
      0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb,
      0xeb86d391};
   static const uint8_t r[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
   uint32_t a = s[0], b = s[1], c = s[2], d = s[3], w[16];
   for (unsigned i = 0; i < 16; i++)
      w[i] = (uint32_t) p[4 * i] | (uint32_t) p[4 * i + 1] << 8 | (uint32_t) p[4 * i + 2] << 16 |
             (uint32_t) p[4 * i + 3] << 24;
   for (unsigned i = 0; i < 64; i++) {
      uint32_t f;
      unsigned g;
      switch (i / 16) {
      case 0:
         f = (b & c) | (~b & d);
         g = i;
         break;
      case 1:
         f = (d & b) | (~d & c);
         g = (5 * i + 1) % 16;
         break;
      case 2:
         f = b ^ c ^ d;
         g = (3 * i + 5) % 16;
         break;
      default:
         f = c ^ (b | ~d);
         g = 7 * i % 16;
         break;
      }
      uint32_t t = d;
      d = c;
      c = b;
      b += rotate (a + f + k[i] + w[g], r[i / 16 * 4 + i % 4]);
      a = t;
   }
   s[0] += a;
   s[1] += b;
   s[2] += c;
   s[3] += d;
}

static bool fn_md5 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   uint32_t s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
   uint8_t tail[128] = {0};
   size_t len = a[0].len, full = len / 64 * 64, rest = len - full;
   for (size_t i = 0; i < full; i += 64)
      md5_block (s, a[0].p + i);
   memcpy (tail, a[0].p + full, rest);
   tail[rest] = 0x80;
   size_t blocks = rest < 56 ? 64 : 128;
   uint64_t bits = (uint64_t) len * 8;
   for (int i = 0; i < 8; i++)
      tail[blocks - 8 + (size_t) i] = (uint8_t) (bits >> (8 * i));
   for (size_t i = 0; i < blocks; i += 64)
      md5_block (s, tail + i);
   char *hex = mt_alloc (ev->arena, 33);
   for (int i = 0; i < 16; i++)
      snprintf (hex + 2 * i, 3, "%02x", (unsigned) (s[i / 4] >> (8 * (i % 4)) & 255));
   *out = mt_v_str (hex, 32);
   return true;
}

#define OPER (MT_F_OPERATOR | MT_NN)

const MtFunc mt_fn_text_more[] = {
   MT_ROW ("||", "text, text -> text", OPER | MT_F_NULL_SAFE, "{\"$concat\": [\"$1\", \"$2\"]}",
           MT_OPN ("concat_op", concat_op, 0), "both joined",
           "SELECT 'Post' || 'gres' => Postgres"),
   MT_ROW ("||", "text, anynonarray -> text", OPER | MT_F_NULL_SAFE | MT_F_ANY_CAST,
           "{\"$concat\": [\"$1\", \"$2\"]}", MT_OPN ("concat_op", concat_op, 0), "both joined",
           "SELECT 'a' || 1 => a1"),
   MT_ROW ("||", "anynonarray, text -> text", OPER | MT_F_NULL_SAFE | MT_F_ANY_CAST,
           "{\"$concat\": [\"$1\", \"$2\"]}", MT_OPN ("concat_op", concat_op, 0), "both joined",
           "SELECT 1 || 'a' => 1a"),
   MT_ROW ("||", "bytea, bytea -> bytea", OPER, NULL, MT_OPN ("bytea_concat", bytea_concat, 0),
           "both joined", "SELECT 'a'::bytea || 'b'::bytea => \\x6162"),
   MT_ROW ("concat", "any -> text", MT_F_ANY_OUTPUT | MT_F_NOT_STRICT | MT_NN | MT_F_VARIADIC, NULL,
           MT_OPN ("concat", concat, 0), "values joined, without NULLs",
           "SELECT concat('abc', 2, NULL, 22) => abc222"),
   MT_ROW ("concat_ws", "text, any -> text", MT_F_ANY_OUTPUT | MT_F_NOT_STRICT | MT_F_VARIADIC,
           NULL, MT_OPN ("concat_ws", concat_ws, 0), "values joined by a separator, without NULLs",
           "SELECT concat_ws(',', 'abc', 2, NULL, 22) => abc,2,22"),
   MT_ROW ("ascii", "text -> int4", MT_NN, NULL, MT_OPN ("ascii", ascii, 0),
           "code point of the first character", "SELECT ascii('x') => 120"),
   MT_ROW ("chr", "int4 -> text", MT_NN, NULL, MT_OPN ("chr", chr, 0),
           "character with a code point", "SELECT chr(65) => A"),
   MT_ROW ("to_hex", "int8 -> text", MT_NN, NULL, MT_OPN ("to_hex8", to_hex, 1),
           "number in hexadecimal", "SELECT to_hex(4294967296) => 100000000"),
   MT_ROW ("md5", "bytea -> text", MT_NN, NULL, MT_OPN ("md5", md5, 0), "MD5 in hexadecimal",
           "SELECT md5('abc'::bytea) => 900150983cd24fb0d6963f7d28e17f72"),
   {.name = NULL},
};
