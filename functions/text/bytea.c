/* Functions of bytes: parts, bits, conversion from and to text, SHA-2. */
#include "functions/core/rows.h"
#include "functions/core/row.h"

#include "base/digest.h"

#include <string.h>

/* ---- parts ---- */

static MtVal bytes (const uint8_t *p, size_t n)
{
   MtVal v = mt_v_str ((const char *) p, n);
   v.type = MT_BINARY;
   v.sub = 0;
   return v;
}

static int64_t within (int64_t v, int64_t low, int64_t high)
{
   if (v < low)
      return low;
   return v > high ? high : v;
}

/* Computes substr of bytea: the bytes from position a[1] on, counted from 1; with a third argument,
 * that many bytes. */
static bool fn_substr (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t from = a[1].i, end = n > 2 ? from + a[2].i : INT64_MAX, size = a[0].len;
   if (n > 2 && a[2].i < 0)
      return mt_error (ev->err, MT_E_SUBSTRING, "negative substring length not allowed");
   from = within (from, 1, size + 1);
   end = within (end, from, size + 1);
   *out = mt_v_copy (ev->arena, bytes (a[0].p + from - 1, (size_t) (end - from)));
   return true;
}

/* Trims the bytes in a[1] from a[0]. MT_USER (ev): 1 at the start, 2 at the end, 3 at both. */
static bool fn_trim (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   size_t from = 0, to = a[0].len;
   while ((MT_USER (ev) & 1) && from < to && memchr (a[1].p, a[0].p[from], a[1].len))
      from++;
   while ((MT_USER (ev) & 2) && to > from && memchr (a[1].p, a[0].p[to - 1], a[1].len))
      to--;
   *out = mt_v_copy (ev->arena, bytes (a[0].p + from, to - from));
   return true;
}

static bool fn_position (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   const uint8_t *at = a[1].len ? memmem (a[0].p, a[0].len, a[1].p, a[1].len) : a[0].p;
   *out = mt_v_int32 (at || !a[1].len ? (int32_t) (a[1].len ? at - a[0].p : 0) + 1 : 0);
   return true;
}

static bool index_ok (MtEval *ev, int64_t i, int64_t count)
{
   return (i >= 0 && i < count) ||
          mt_error (ev->err, MT_E_ARRAY_SUBSCRIPT, "index %lld out of valid range, 0..%lld",
                    (long long) i, (long long) count - 1);
}

static bool fn_get_byte (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!index_ok (ev, a[1].i, a[0].len))
      return false;
   *out = mt_v_int32 (a[0].p[a[1].i]);
   return true;
}

static bool fn_get_bit (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!index_ok (ev, a[1].i, (int64_t) a[0].len * 8))
      return false;
   *out = mt_v_int32 (a[0].p[a[1].i / 8] >> (a[1].i % 8) & 1);
   return true;
}

static MtVal changed (MtEval *ev, MtVal v, size_t at, uint8_t byte)
{
   uint8_t *p = mt_alloc (ev->arena, v.len);
   memcpy (p, v.p, v.len);
   p[at] = byte;
   return bytes (p, v.len);
}

static bool fn_set_byte (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!index_ok (ev, a[1].i, a[0].len))
      return false;
   *out = changed (ev, a[0], (size_t) a[1].i, (uint8_t) a[2].i);
   return true;
}

static bool fn_set_bit (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!index_ok (ev, a[1].i, (int64_t) a[0].len * 8))
      return false;
   if (a[2].i != 0 && a[2].i != 1)
      return mt_error (ev->err, MT_E_PARAMETER, "new bit must be 0 or 1");
   uint8_t mask = (uint8_t) (1u << (a[1].i % 8)), old = a[0].p[a[1].i / 8];
   *out = changed (ev, a[0], (size_t) a[1].i / 8, (uint8_t) (a[2].i ? old | mask : old & ~mask));
   return true;
}

static bool fn_bit_count (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   int64_t bits = 0;
   for (uint32_t i = 0; i < a[0].len; i++)
      bits += __builtin_popcount (a[0].p[i]);
   *out = mt_v_int64 (bits);
   return true;
}

/* ---- text ---- */

static bool is_utf8_name (MtEval *ev, MtVal name, const char *direction)
{
   if (mt_str_ieq (mt_v_text (name), mt_str ("UTF8")) ||
       mt_str_ieq (mt_v_text (name), mt_str ("UTF-8")))
      return true;
   mt_error (ev->err, MT_E_FEATURE, "%s encoding \"%.*s\" is not supported", direction,
             (int) name.len, (const char *) name.p);
   return mt_error_hint (ev->err, "Use UTF8.");
}

static bool fn_convert_from (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!is_utf8_name (ev, a[1], "source"))
      return false;
   if (memchr (a[0].p, 0, a[0].len) || !bson_utf8_validate ((const char *) a[0].p, a[0].len, false))
      return mt_error (ev->err, MT_E_ENCODING, "invalid byte sequence for encoding \"UTF8\"");
   *out = mt_v_str ((const char *) a[0].p, a[0].len);
   return true;
}

static bool fn_convert_to (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   if (!is_utf8_name (ev, a[1], "destination"))
      return false;
   *out = bytes (a[0].p, a[0].len);
   return true;
}

/* ---- SHA-2 ---- */

/* sha224, sha256 … MT_USER (ev): the MtDigest. */
static bool fn_sha (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   uint8_t *digest = mt_alloc (ev->arena, MT_DIGEST_MAX);
   size_t length;
   if (!mt_digest ((MtDigest) MT_USER (ev), a[0].p, a[0].len, digest, &length, ev->err))
      return false;
   *out = bytes (digest, length);
   return true;
}

#define SHA(bits, ex) \
   MT_ROW ("sha" #bits, "bytea -> bytea", MT_NN, NULL, \
           MT_OPN ("sha" #bits, sha, MT_DIGEST_SHA##bits), "SHA-" #bits, ex)
#define PART(name_) \
   MT_ROW (name_, "bytea, from int4 -> bytea", MT_NN, NULL, MT_OPN ("bytea_substr", substr, 0), \
           "bytes from a position on", "SELECT " name_ "('abc'::bytea, 2) => \\x6263"), \
      MT_ROW (name_, "bytea, from int4, count int4 -> bytea", MT_NN, NULL, \
              MT_OPN ("bytea_substr", substr, 0), "n bytes from a position on", \
              "SELECT " name_ "('abc'::bytea, 2, 1) => \\x62")

const MtFunc mt_fn_bytea[] = {
   PART ("substring"),
   MT_ROW ("btrim", "bytea, bytes bytea -> bytea", MT_NN, NULL, MT_OPN ("bytea_trim", trim, 3),
           "bytes without the given ones at both ends",
           "SELECT trim('\\x00'::bytea FROM '\\x00610000'::bytea) => \\x61"),
   MT_ROW ("ltrim", "bytea, bytes bytea -> bytea", MT_NN, NULL, MT_OPN ("bytea_ltrim", trim, 1),
           "bytes without the given ones at the start",
           "SELECT ltrim('\\x0061'::bytea, '\\x00') => \\x61"),
   MT_ROW ("rtrim", "bytea, bytes bytea -> bytea", MT_NN, NULL, MT_OPN ("bytea_rtrim", trim, 2),
           "bytes without the given ones at the end",
           "SELECT rtrim('\\x6100'::bytea, '\\x00') => \\x61"),
   MT_ROW ("position", "bytea, what bytea -> int4", MT_NN, NULL,
           MT_OPN ("bytea_position", position, 0), "position of bytes, or 0",
           "SELECT position('\\x62'::bytea IN '\\x6162'::bytea) => 2"),
   MT_ROW ("get_byte", "bytea, n int4 -> int4", MT_NN, NULL, MT_OPN ("get_byte", get_byte, 0),
           "byte number n, counted from 0", "SELECT get_byte('abc'::bytea, 1) => 98"),
   MT_ROW ("set_byte", "bytea, n int4, value int4 -> bytea", MT_NN, NULL,
           MT_OPN ("set_byte", set_byte, 0), "bytes with one byte changed",
           "SELECT set_byte('abc'::bytea, 1, 66) => \\x614263"),
   MT_ROW ("get_bit", "bytea, n int8 -> int4", MT_NN, NULL, MT_OPN ("get_bit", get_bit, 0),
           "bit number n, counted from 0 at the lowest bit of the first byte",
           "SELECT get_bit('\\x02'::bytea, 1) => 1"),
   MT_ROW ("set_bit", "bytea, n int8, value int4 -> bytea", MT_NN, NULL,
           MT_OPN ("set_bit", set_bit, 0), "bytes with one bit changed",
           "SELECT set_bit('\\x02'::bytea, 0, 1) => \\x03"),
   MT_ROW ("bit_count", "bytea -> int8", MT_NN, NULL, MT_OPN ("bit_count", bit_count, 0),
           "number of bits that are set", "SELECT bit_count('\\x03ff'::bytea) => 10"),
   MT_ROW ("convert_from", "bytea, encoding text -> text", MT_NN, NULL,
           MT_OPN ("convert_from", convert_from, 0), "text from bytes in UTF8",
           "SELECT convert_from('\\xc3a9'::bytea, 'UTF8') => é"),
   MT_ROW ("convert_to", "text, encoding text -> bytea", MT_NN, NULL,
           MT_OPN ("convert_to", convert_to, 0), "text as bytes in UTF8",
           "SELECT convert_to('é', 'UTF8') => \\xc3a9"),
   SHA (224,
        "SELECT sha224(''::bytea) => \\xd14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
   SHA (256, "SELECT sha256('abc'::bytea) => "
             "\\xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
   SHA (384, "SELECT substr(sha384('abc'::bytea), 1, 8) => \\xcb00753f45a35e8b"),
   SHA (512, "SELECT substr(sha512('abc'::bytea), 1, 8) => \\xddaf35a193617aba"),
   {.name = NULL},
};
