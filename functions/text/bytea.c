/* Functions of bytes: parts, bits, conversion from and to text, SHA-2 (FIPS 180-4). */
#include "functions/core/rows.h"
#include "functions/core/row.h"

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

/* substr of bytea: the bytes from number a[1] on, counted from 1. */
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

/* Trims bytes. MT_USER (ev): 1 at the start, 2 at the end, 3 at both. */
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

/* Round constants of SHA-2: the fractions of cube roots of the first 80 primes. SHA-256 uses their
 * upper halves. */
static const uint64_t round_words[80] = {
   0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
   0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
   0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
   0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
   0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
   0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
   0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
   0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
   0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
   0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
   0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
   0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
   0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
   0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
   0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
   0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
   0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
   0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
   0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
   0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};
/* Initial hash values of SHA-2: the fractions of square roots of the primes 2 to 19 (first row) and
 * 23 to 53 (second row). SHA-224 uses the lower halves of the second row. */
static const uint64_t roots[2][8] = {
   {
      0x6a09e667f3bcc908,
      0xbb67ae8584caa73b,
      0x3c6ef372fe94f82b,
      0xa54ff53a5f1d36f1,
      0x510e527fade682d1,
      0x9b05688c2b3e6c1f,
      0x1f83d9abfb41bd6b,
      0x5be0cd19137e2179,
   },
   {
      0xcbbb9d5dc1059ed8,
      0x629a292a367cd507,
      0x9159015a3070dd17,
      0x152fecd8f70e5939,
      0x67332667ffc00b31,
      0x8eb44a8768581511,
      0xdb0c2e0d64f98fa7,
      0x47b5481dbefa4fa4,
   },
};

typedef struct Sha {
   int bits; /* of a word: 32 or 64 */
   uint64_t h[8], mask;
} Sha;

static uint64_t turn (const Sha *s, uint64_t x, int by)
{
   return (x >> by | x << (s->bits - by)) & s->mask;
}

/* The word functions of SHA-2: the number of bits by which x is turned twice, and turned or
 * shifted a third time. */
static uint64_t mixed (const Sha *s, uint64_t x, int which)
{
   static const uint8_t wide[4][3] = {{28, 34, 39}, {14, 18, 41}, {1, 8, 7}, {19, 61, 6}},
                        narrow[4][3] = {{2, 13, 22}, {6, 11, 25}, {7, 18, 3}, {17, 19, 10}};
   const uint8_t *by = s->bits == 64 ? wide[which] : narrow[which];
   return turn (s, x, by[0]) ^ turn (s, x, by[1]) ^ (which < 2 ? turn (s, x, by[2]) : x >> by[2]);
}

static void sha_block (Sha *s, const uint8_t *p)
{
   uint64_t w[80], v[8];
   int rounds = s->bits == 64 ? 80 : 64, size = s->bits / 8;
   for (int i = 0; i < 16; i++) {
      w[i] = 0;
      for (int k = 0; k < size; k++)
         w[i] = w[i] << 8 | p[i * size + k];
   }
   for (int i = 16; i < rounds; i++)
      w[i] = (mixed (s, w[i - 2], 3) + w[i - 7] + mixed (s, w[i - 15], 2) + w[i - 16]) & s->mask;
   memcpy (v, s->h, sizeof v);
   for (int i = 0; i < rounds; i++) {
      uint64_t k = s->bits == 64 ? round_words[i] : round_words[i] >> 32;
      uint64_t t1 = v[7] + mixed (s, v[4], 1) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k + w[i];
      uint64_t t2 = mixed (s, v[0], 0) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      memmove (v + 1, v, 7 * sizeof *v);
      v[4] = (v[4] + t1) & s->mask;
      v[0] = (t1 + t2) & s->mask;
   }
   for (int i = 0; i < 8; i++)
      s->h[i] = (s->h[i] + v[i]) & s->mask;
}

static void sha_start (Sha *s, int digest)
{
   s->bits = digest > 256 ? 64 : 32;
   s->mask = s->bits == 64 ? UINT64_MAX : UINT32_MAX;
   for (int i = 0; i < 8; i++)
      switch (digest) {
      case 512: s->h[i] = roots[0][i]; break;
      case 384: s->h[i] = roots[1][i]; break;
      case 256: s->h[i] = roots[0][i] >> 32; break;
      default: s->h[i] = roots[1][i] & UINT32_MAX; break;
      }
}

/* sha224, sha256 … MT_USER (ev): the number of bits of the digest. */
static bool fn_sha (MtEval *ev, const MtVal *a, int n, MtVal *out)
{
   Sha s;
   int digest = MT_USER (ev);
   sha_start (&s, digest);
   size_t block = s.bits == 64 ? 128 : 64, whole = a[0].len / block * block,
          rest = a[0].len - whole;
   uint8_t tail[256] = {0}, *d = mt_alloc (ev->arena, 64);
   for (size_t i = 0; i < whole; i += block)
      sha_block (&s, a[0].p + i);
   if (rest)
      memcpy (tail, a[0].p + whole, rest);
   tail[rest] = 0x80;
   size_t end = rest + 1 + block / 8 <= block ? block : 2 * block;
   for (int i = 0; i < 8; i++)
      tail[end - 1 - (size_t) i] = (uint8_t) ((uint64_t) a[0].len * 8 >> (8 * i));
   for (size_t i = 0; i < end; i += block)
      sha_block (&s, tail + i);
   int size = s.bits / 8;
   for (int i = 0; i < digest / 8; i++)
      d[i] = (uint8_t) (s.h[i / size] >> (8 * (size - 1 - i % size)));
   *out = bytes (d, (size_t) digest / 8);
   return true;
}

#define SHA(bits, ex) \
   MT_ROW ("sha" #bits, "bytea -> bytea", MT_NN, NULL, MT_OPN ("sha" #bits, sha, bits), \
           "SHA-" #bits, ex)
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
