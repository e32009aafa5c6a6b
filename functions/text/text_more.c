/* Functions of text: joining, character codes, hashes. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "base/digest.h"
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

/* Computes concat, which skips NULLs. Analysis has cast all arguments to text. */
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

static bool fn_md5 (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   uint8_t digest[MT_DIGEST_MAX];
   size_t length;
   if (!mt_digest (MT_DIGEST_MD5, a[0].p, a[0].len, digest, &length, ev->err))
      return false;
   char *hex = mt_alloc (ev->arena, 2 * length + 1);
   mt_hex (digest, length, "0123456789abcdef", hex);
   *out = mt_v_str (hex, 2 * length);
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
