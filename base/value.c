#include "base/value.h"
#include "base/bytes.h"

#include "base/bid.h"
#include "base/cancel.h"
#include "base/limits.h"

#include <math.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TYPE_DBPOINTER 0x0C
#define TYPE_CODE_SCOPE 0x0F
#define DEEPEST \
   (2 * \
    MT_MAX_BSON_DEPTH) /* the limit for documents that were not validated to MT_MAX_BSON_DEPTH */
#define NO_SIZE SIZE_MAX

/* ---- bytes ---- */

/* Returns the size in bytes of a stored value that begins with its 32-bit length. extra: the bytes
 * that this length does not count; least: the smallest valid length. NO_SIZE: the length is
 * invalid, or greater than the `avail` bytes at p. */
static size_t prefixed_size (const uint8_t *p, size_t avail, size_t extra, size_t least)
{
   if (avail < 4)
      return NO_SIZE;
   size_t n = mt_get32 (p);
   if (n > INT32_MAX || n + extra < least || n + extra > avail)
      return NO_SIZE;
   return n + extra;
}

static size_t regex_size (const uint8_t *p, size_t avail)
{
   const uint8_t *one = memchr (p, 0, avail);
   if (!one)
      return NO_SIZE;
   const uint8_t *two = memchr (one + 1, 0, avail - (size_t) (one + 1 - p));
   return two ? (size_t) (two + 1 - p) : NO_SIZE;
}

/* Returns the size in bytes of a stored value of `type` at p. NO_SIZE: the bytes are invalid, or
 * there are too few. */
static size_t stored_size (uint8_t type, const uint8_t *p, size_t avail)
{
   size_t n = NO_SIZE;
   switch (type) {
   case MT_UNDEFINED:
   case MT_NULL:
   case MT_MINKEY:
   case MT_MAXKEY: return 0;
   case MT_BOOL: n = 1; break;
   case MT_INT32: n = 4; break;
   case MT_DOUBLE:
   case MT_DATE:
   case MT_TIMESTAMP:
   case MT_INT64: n = 8; break;
   case MT_OID: n = 12; break;
   case MT_DECIMAL: n = 16; break;
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL:
      n = prefixed_size (p, avail, 4, 5);
      return n != NO_SIZE && p[n - 1] == 0 ? n : NO_SIZE;
   case MT_DOC:
   case MT_ARRAY:
      n = prefixed_size (p, avail, 0, 5);
      return n != NO_SIZE && p[n - 1] == 0 ? n : NO_SIZE;
   case MT_BINARY: return prefixed_size (p, avail, 5, 5);
   case TYPE_DBPOINTER: return prefixed_size (p, avail, 16, 17);
   case TYPE_CODE_SCOPE: return prefixed_size (p, avail, 0, 14);
   case MT_REGEX: return regex_size (p, avail);
   }
   return n <= avail ? n : NO_SIZE;
}

static MtVal load_value (uint8_t type, const uint8_t *p, size_t size)
{
   MtVal v = {.type = type};
   switch (type) {
   case MT_BOOL: v.i = p[0] != 0; break;
   case MT_INT32: v.i = (int32_t) mt_get32 (p); break;
   case MT_DATE:
   case MT_TIMESTAMP:
   case MT_INT64: v.i = (int64_t) mt_get64 (p); break;
   case MT_DOUBLE: {
      uint64_t bits = mt_get64 (p);
      memcpy (&v.d, &bits, 8);
      break;
   }
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL:
      v.p = p + 4;
      v.len = (uint32_t) size - 5;
      break;
   case MT_BINARY:
      v.p = p + 5;
      v.len = (uint32_t) size - 5;
      v.sub = p[4];
      break;
   case MT_DOC:
   case MT_ARRAY:
   case MT_REGEX:
   case MT_OID:
   case MT_DECIMAL:
   case TYPE_DBPOINTER:
   case TYPE_CODE_SCOPE:
      v.p = p;
      v.len = (uint32_t) size;
      break;
   }
   return v;
}

/* Returns how many bytes `v` has when it is stored in a document, without type and name. */
static size_t value_size (MtVal v)
{
   switch (v.type) {
   case MT_BOOL: return 1;
   case MT_INT32: return 4;
   case MT_DOUBLE:
   case MT_DATE:
   case MT_TIMESTAMP:
   case MT_INT64: return 8;
   case MT_OID: return 12;
   case MT_DECIMAL: return 16;
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL:
   case MT_BINARY: return (size_t) v.len + 5;
   case MT_DOC:
   case MT_ARRAY:
   case MT_REGEX:
   case TYPE_DBPOINTER:
   case TYPE_CODE_SCOPE: return v.len;
   }
   return 0;
}

uint8_t *mt_v_store (uint8_t *p, MtVal v)
{
   switch (v.type) {
   case MT_BOOL: *p = v.i != 0; return p + 1;
   case MT_INT32: mt_put32 (p, (uint32_t) v.i); return p + 4;
   case MT_DOUBLE:
   case MT_DATE:
   case MT_TIMESTAMP:
   case MT_INT64: mt_put64 (p, (uint64_t) v.i); return p + 8;
   case MT_OID: memcpy (p, v.p, 12); return p + 12;
   case MT_DECIMAL: memcpy (p, v.p, 16); return p + 16;
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL:
      mt_put32 (p, v.len + 1);
      if (v.len)
         memcpy (p + 4, v.p, v.len);
      p[4 + v.len] = 0;
      return p + 5 + v.len;
   case MT_BINARY:
      mt_put32 (p, v.len);
      p[4] = v.sub;
      if (v.len)
         memcpy (p + 5, v.p, v.len);
      return p + 5 + v.len;
   case MT_DOC:
   case MT_ARRAY:
   case MT_REGEX:
   case TYPE_DBPOINTER:
   case TYPE_CODE_SCOPE: memcpy (p, v.p, v.len); return p + v.len;
   }
   return p; /* the other types have no bytes after the name */
}

/* ---- documents ---- */

MtDocIter mt_doc_iter (MtVal doc)
{
   if ((doc.type != MT_DOC && doc.type != MT_ARRAY) || doc.len < 5)
      return (MtDocIter) {NULL, NULL};
   return (MtDocIter) {doc.p + 4, doc.p + doc.len - 1};
}

/* Returns the NUL that ends the name at p. NULL: there is none before `end`. Most names are short,
 * such as array indexes, so the first bytes are tested in a loop, and memchr, which is faster for
 * long names, is called only for the rest. */
static inline const uint8_t *name_end (const uint8_t *p, const uint8_t *end)
{
   for (int i = 0; i < 6 && p < end; i++, p++)
      if (!*p)
         return p;
   return memchr (p, 0, (size_t) (end - p));
}

bool mt_doc_next (MtDocIter *it, MtStr *key, MtVal *v)
{
   if (it->p >= it->end || *it->p == 0)
      return false;
   uint8_t type = *it->p;
   const uint8_t *name = it->p + 1;
   const uint8_t *nul = name_end (name, it->end);
   if (!nul)
      return false;
   size_t avail = (size_t) (it->end - (nul + 1));
   size_t size = stored_size (type, nul + 1, avail);
   if (size == NO_SIZE)
      return false;
   *key = (MtStr) {(const char *) name, (size_t) (nul - name)};
   *v = load_value (type, nul + 1, size);
   it->p = nul + 1 + size;
   return true;
}

size_t mt_doc_count (MtVal doc)
{
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   size_t n = 0;
   while (mt_doc_next (&it, &key, &v))
      n++;
   return n;
}

MtVal mt_doc_get (MtVal doc, const char *name, size_t len)
{
   MtDocIter it = mt_doc_iter (doc);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (key.n == len && memcmp (key.p, name, len) == 0)
         return v;
   return mt_v_missing ();
}

MtVal mt_doc_at (MtVal array, size_t index)
{
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (index-- == 0)
         return v;
   return mt_v_missing ();
}

bool mt_path_next (const char **path, MtStr *component)
{
   if (!**path)
      return false;
   const char *dot = strchr (*path, '.');
   size_t n = dot ? (size_t) (dot - *path) : strlen (*path);
   *component = (MtStr) {*path, n};
   *path += n + (dot != NULL);
   return true;
}

MtVal mt_path_get (MtVal v, const char *path)
{
   MtStr c;
   while (mt_path_next (&path, &c)) {
      if (v.type != MT_DOC)
         return mt_v_missing ();
      v = mt_doc_get (v, c.p, c.n);
   }
   return v;
}

MtVal *mt_v_elements (MtArena *a, MtVal array, size_t *n)
{
   size_t count = mt_doc_count (array);
   MtVal *vals = MT_TRY_NEW_N (a, MtVal, count);
   MtDocIter it = mt_doc_iter (array);
   MtStr key;
   count = vals ? count : 0;
   for (size_t i = 0; i < count; i++)
      mt_doc_next (&it, &key, &vals[i]);
   *n = count;
   return vals;
}

bool mt_v_make_doc (MtArena *a, const MtStr *keys, const MtVal *vals, size_t n, MtVal *out,
                    MtError *err)
{
   size_t size = 5;
   for (size_t i = 0; i < n; i++)
      if (vals[i].type != MT_MISSING)
         size += 2 + keys[i].n + value_size (vals[i]);
   uint8_t *bytes = mt_value_fits (size) ? mt_try_alloc (a, size) : NULL;
   if (!bytes)
      return mt_memory_check (err);
   uint8_t *p = bytes + 4;
   mt_put32 (bytes, (uint32_t) size);
   for (size_t i = 0; i < n; i++) {
      if (vals[i].type == MT_MISSING)
         continue;
      *p++ = vals[i].type;
      if (keys[i].n)
         memcpy (p, keys[i].p, keys[i].n);
      p += keys[i].n;
      *p++ = 0;
      p = mt_v_store (p, vals[i]);
   }
   *out = (MtVal) {.type = MT_DOC, .len = (uint32_t) size, .p = bytes};
   return true;
}

static size_t digits_of (size_t i)
{
   size_t n = 1;
   while (i >= 10) {
      i /= 10;
      n++;
   }
   return n;
}

static uint8_t *store_index (uint8_t *p, size_t i)
{
   size_t n = digits_of (i);
   for (size_t k = n; k-- > 0; i /= 10)
      p[k] = (uint8_t) ('0' + i % 10);
   return p + n;
}

#define ELEMENTS_PER_POLL 65536

bool mt_v_make_long_array (MtArena *a, const MtVal *vals, size_t n, const MtCancel *cancel,
                           MtVal *out, MtError *err)
{
   size_t size = 5;
   for (size_t i = 0; i < n; i++)
      size += 2 + digits_of (i) + value_size (vals[i]);
   uint8_t *bytes = mt_value_fits (size) ? mt_try_alloc (a, size) : NULL;
   if (!bytes)
      return mt_memory_check (err);
   uint8_t *p = bytes + 4;
   mt_put32 (bytes, (uint32_t) size);
   for (size_t i = 0; i < n; i++) {
      if (i % ELEMENTS_PER_POLL == ELEMENTS_PER_POLL - 1 && !mt_cancel_check (cancel, err))
         return false;
      *p++ = vals[i].type == MT_MISSING ? MT_NULL : vals[i].type;
      p = store_index (p, i);
      *p++ = 0;
      p = mt_v_store (p, vals[i]);
   }
   *out = (MtVal) {.type = MT_ARRAY, .len = (uint32_t) size, .p = bytes};
   return true;
}

bool mt_v_make_array (MtArena *a, const MtVal *vals, size_t n, MtVal *out, MtError *err)
{
   return mt_v_make_long_array (a, vals, n, NULL, out, err);
}

/* ---- libbson ---- */

MtVal mt_v_from_iter (const bson_iter_t *it)
{
   uint8_t type = (uint8_t) bson_iter_type (it);
   if (type == 0 || it->d1 == 0 || it->d1 > it->len)
      return stored_size (type, (const uint8_t *) "", 0) == 0 ? (MtVal) {.type = type}
                                                              : mt_v_missing ();
   size_t size = stored_size (type, it->raw + it->d1, it->len - it->d1);
   return size == NO_SIZE ? mt_v_missing () : load_value (type, it->raw + it->d1, size);
}

bool mt_v_has_bytes (uint8_t type)
{
   switch (type) {
   case MT_STRING:
   case MT_DOC:
   case MT_ARRAY:
   case MT_BINARY:
   case MT_OID:
   case MT_REGEX:
   case MT_CODE:
   case MT_SYMBOL:
   case MT_DECIMAL:
   case TYPE_DBPOINTER:
   case TYPE_CODE_SCOPE: return true;
   }
   return false;
}

void mt_vals_add (MtVals *l, MtArena *a, MtVal v)
{
   if (MT_TRY_GROW_IN (a, l->v, l->n, l->cap, 8))
      l->v[l->n++] = v;
}

MtVal mt_v_copy (MtArena *a, MtVal v)
{
   if (!mt_v_has_bytes (v.type))
      return v;
   v.p = (const uint8_t *) mt_try_strndup (a, (const char *) v.p, mt_v_size (v));
   return v.p ? v : mt_v_null ();
}

MtVal mt_v_decimal (MtArena *a, const uint8_t bytes[16])
{
   return mt_v_copy (a, (MtVal) {.type = MT_DECIMAL, .len = 16, .p = bytes});
}

MtVal mt_v_doc (const bson_t *b)
{
   return (MtVal) {.type = MT_DOC, .len = b->len, .p = bson_get_data (b)};
}
MtVal mt_v_array (const bson_t *b)
{
   return (MtVal) {.type = MT_ARRAY, .len = b->len, .p = bson_get_data (b)};
}

const char *mt_v_type_name (MtVal v)
{
   static const char *const low[] = {"missing",   "double",     "string",    "object",
                                     "array",     "binData",    "undefined", "objectId",
                                     "bool",      "date",       "null",      "regex",
                                     "dbPointer", "javascript", "symbol",    "javascriptWithScope",
                                     "int",       "timestamp",  "long",      "decimal"};
   if (v.type < sizeof low / sizeof *low)
      return low[v.type];
   switch (v.type) {
   case MT_MAXKEY: return "maxKey";
   case MT_MINKEY: return "minKey";
   default: return "unknown";
   }
}

/* ---- order ---- */

#define CMP(a, b) (((a) > (b)) - ((a) < (b)))

/* Compares an integer with a double exactly, without rounding. d is not NaN. */
static int compare_int_double (int64_t i, double d)
{
   if (d >= 9223372036854775808.0)
      return -1;
   if (d < -9223372036854775808.0)
      return 1;
   int64_t whole = (int64_t) d;
   if (i != whole)
      return CMP (i, whole);
   double rest = d - (double) whole;
   return rest > 0 ? -1 : rest < 0;
}

static int compare_bid (BID_UINT128 x, BID_UINT128 y)
{
   unsigned flags = 0;
   if (bid128_quiet_equal (x, y, &flags))
      return 0;
   return bid128_quiet_less (x, y, &flags) ? -1 : 1;
}

/* Compares a decimal with a double. The double is first rounded down to a decimal of 34 digits.
 * This is exact enough, since no decimal lies between the rounded number and the double. */
static int compare_bid_double (BID_UINT128 x, double d)
{
   unsigned flags = 0;
   BID_UINT128 below = binary64_to_bid128 (d, MT_BID_DOWN, &flags);
   int c = compare_bid (x, below);
   return c == 0 && (flags & MT_BID_INEXACT) ? -1 : c;
}

bool mt_v_is_text (MtVal v, const char *text)
{
   return v.type == MT_STRING && mt_str_is ((MtStr) {(const char *) v.p, v.len}, text);
}

bool mt_v_is_nan (MtVal v)
{
   if (v.type == MT_DOUBLE)
      return isnan (v.d);
   return v.type == MT_DECIMAL && bid128_isNaN (mt_bid_load (v.p));
}

static int compare_decimal (MtVal a, MtVal b)
{
   BID_UINT128 x = mt_bid_load (a.p);
   if (b.type == MT_DECIMAL)
      return compare_bid (x, mt_bid_load (b.p));
   if (b.type == MT_DOUBLE)
      return compare_bid_double (x, b.d);
   return compare_bid (x, bid128_from_int64 (b.i));
}

/* The upper 64 bits of a Decimal128 (in BID encoding) with exponent 0 and few digits: the exponent,
 * biased by 6176, begins at bit 49. Sums of integers have this form. Testing the bits avoids a
 * library call of some hundred nanoseconds. */
#define DECIMAL_EXPONENT_0 0x3040000000000000u

static bool small_decimal (const uint8_t *p, int64_t *out)
{
   uint64_t lo, hi;
   memcpy (&lo, p, 8);
   memcpy (&hi, p + 8, 8);
   if ((hi & ~(1ull << 63)) != DECIMAL_EXPONENT_0 || lo > INT64_MAX)
      return false;
   *out = hi >> 63 ? -(int64_t) lo : (int64_t) lo;
   return true;
}

/* If v is a decimal with exponent 0 and at most 63 bits of digits, returns it as an int64. Returns
 * other values unchanged. */
static MtVal plain_integer (MtVal v)
{
   int64_t i;
   return v.type == MT_DECIMAL && small_decimal (v.p, &i) ? mt_v_int64 (i) : v;
}

int mt_v_compare_numbers (MtVal a, MtVal b)
{
   a = plain_integer (a);
   b = plain_integer (b);
   bool a_int = a.type == MT_INT32 || a.type == MT_INT64,
        b_int = b.type == MT_INT32 || b.type == MT_INT64;
   if (a_int && b_int)
      return CMP (a.i, b.i);
   bool a_nan = mt_v_is_nan (a), b_nan = mt_v_is_nan (b);
   if (a_nan || b_nan)
      return (int) b_nan - (int) a_nan;
   if (a.type == MT_DECIMAL)
      return compare_decimal (a, b);
   if (b.type == MT_DECIMAL)
      return -compare_decimal (b, a);
   if (a_int)
      return compare_int_double (a.i, b.d);
   if (b_int)
      return -compare_int_double (b.i, a.d);
   return CMP (a.d, b.d);
}

int mt_v_rank (uint8_t type)
{
   switch (type) {
   case MT_MINKEY: return -1;
   case MT_MISSING:
   case MT_UNDEFINED: return 0;
   case MT_NULL: return 1;
   case MT_INT32:
   case MT_INT64:
   case MT_DOUBLE:
   case MT_DECIMAL: return 2;
   case MT_STRING:
   case MT_SYMBOL: return 3;
   case MT_DOC: return 4;
   case MT_ARRAY: return 5;
   case MT_BINARY: return 6;
   case MT_OID: return 7;
   case MT_BOOL: return 8;
   case MT_DATE: return 9;
   case MT_TIMESTAMP: return 10;
   case MT_REGEX: return 11;
   case TYPE_DBPOINTER: return 12;
   case MT_CODE: return 13;
   case TYPE_CODE_SCOPE: return 14;
   case MT_MAXKEY: return 15;
   }
   return 14;
}

static int compare_bytes (const uint8_t *a, size_t n, const uint8_t *b, size_t m)
{
   size_t least = n < m ? n : m;
   int c = least ? memcmp (a, b, least) : 0;
   return c ? c : CMP (n, m);
}

static int compare_at (const MtTextOrder *o, MtVal a, MtVal b, bool strict, int depth);

/* Compares two documents or arrays element by element: by type, then by name (only documents), then
 * by value. If all elements of the shorter one are equal, the shorter one is less. depth: the
 * nesting depth, which is limited. */
static int compare_docs (const MtTextOrder *o, MtVal a, MtVal b, int depth)
{
   if (depth > DEEPEST)
      return compare_bytes (a.p, a.len, b.p, b.len);
   MtDocIter ia = mt_doc_iter (a), ib = mt_doc_iter (b);
   for (;;) {
      MtStr ka, kb;
      MtVal va, vb;
      bool more_a = mt_doc_next (&ia, &ka, &va), more_b = mt_doc_next (&ib, &kb, &vb);
      if (!more_a || !more_b)
         return (int) more_a - (int) more_b;
      int c = CMP (mt_v_rank (va.type), mt_v_rank (vb.type));
      if (c == 0 && a.type == MT_DOC)
         c = compare_bytes ((const uint8_t *) ka.p, ka.n, (const uint8_t *) kb.p, kb.n);
      if (c == 0)
         c = compare_at (o, va, vb, true, depth + 1);
      if (c)
         return c;
   }
}

static int compare_binary (MtVal a, MtVal b)
{
   int c = CMP (a.len, b.len);
   if (!c)
      c = CMP (a.sub, b.sub);
   return c ? c : compare_bytes (a.p, a.len, b.p, b.len);
}

static int compare_at (const MtTextOrder *o, MtVal a, MtVal b, bool strict, int depth)
{
   int ra = mt_v_rank (a.type), rb = mt_v_rank (b.type);
   if (!strict && (ra == 0 || ra == 1))
      ra = 1;
   if (!strict && (rb == 0 || rb == 1))
      rb = 1;
   if (ra != rb)
      return CMP (ra, rb);
   switch (ra) {
   case 2: return mt_v_compare_numbers (a, b);
   case 4:
   case 5: return compare_docs (o, a, b, depth);
   case 6: return compare_binary (a, b);
   case 7: return memcmp (a.p, b.p, 12);
   case 8:
   case 9: return CMP (a.i, b.i);
   case 10: return CMP ((uint64_t) a.i, (uint64_t) b.i);
   case 3:
      if (o && a.type == MT_STRING && b.type == MT_STRING)
         return o->compare (o, a, b);
      return compare_bytes (a.p, a.len, b.p, b.len);
   case 11:
   case 12:
   case 13:
   case 14: return compare_bytes (a.p, a.len, b.p, b.len);
   }
   return 0;
}

int mt_v_compare (MtVal a, MtVal b) { return compare_at (NULL, a, b, false, 0); }
int mt_v_compare_strict (MtVal a, MtVal b) { return compare_at (NULL, a, b, true, 0); }

int mt_v_compare_by (const MtTextOrder *o, MtVal a, MtVal b, bool strict)
{
   return compare_at (o, a, b, strict, 0);
}

/* ---- hash ---- */

static uint64_t mix (uint64_t x, uint64_t seed)
{
   x ^= seed + 0x9E3779B97F4A7C15u;
   x ^= x >> 33;
   x *= 0xFF51AFD7ED558CCDu;
   x ^= x >> 33;
   x *= 0xC4CEB9FE1A85EC53u;
   return x ^ (x >> 33);
}

static uint64_t hash_double (double d, uint64_t seed)
{
   if (isnan (d))
      return mix (0x7FF8000000000000u, seed);
   if (d >= -9223372036854775808.0 && d < 9223372036854775808.0 && (double) (int64_t) d == d)
      return mix ((uint64_t) (int64_t) d, seed);
   uint64_t bits;
   memcpy (&bits, &d, 8);
   return mix (bits, seed);
}

/* Hashes a decimal so that equal numbers have equal hashes: as an integer if it is one and fits in
 * 64 bits, otherwise as the nearest double. */
static uint64_t hash_decimal (const uint8_t *p, uint64_t seed)
{
   int64_t small;
   if (small_decimal (p, &small))
      return mix ((uint64_t) small, seed);
   BID_UINT128 x = mt_bid_load (p);
   unsigned flags = 0;
   BID_SINT64 whole = bid128_to_int64_xint (x, &flags);
   if (!(flags & (MT_BID_INVALID | MT_BID_INEXACT)))
      return mix ((uint64_t) whole, seed);
   flags = 0;
   double d = bid128_to_binary64 (x, MT_BID_NEAREST, &flags);
   if (isnan (d))
      return hash_double (d, seed);
   uint64_t bits;
   memcpy (&bits, &d, 8);
   if (d >= -9223372036854775808.0 && d < 9223372036854775808.0 && (double) (int64_t) d == d)
      /* No double is equal to this decimal, so its hash need not equal that of another type. */
      return mix (bits, ~seed);
   return mix (bits, seed);
}

static uint64_t hash_at (const MtTextOrder *o, MtVal v, uint64_t seed, int depth);

static uint64_t hash_doc (const MtTextOrder *o, MtVal v, uint64_t seed, int depth)
{
   uint64_t h = mix (v.type, seed);
   if (depth > DEEPEST)
      return h;
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal e;
   while (mt_doc_next (&it, &key, &e)) {
      if (v.type == MT_DOC)
         h = XXH3_64bits_withSeed (key.p, key.n, h);
      h = hash_at (o, e, h + 1, depth + 1);
   }
   return h;
}

static uint64_t hash_at (const MtTextOrder *o, MtVal v, uint64_t seed, int depth)
{
   switch (v.type) {
   case MT_INT32:
   case MT_INT64: return mix ((uint64_t) v.i, seed);
   case MT_DOUBLE: return hash_double (v.d, seed);
   case MT_DECIMAL: return hash_decimal (v.p, seed);
   case MT_STRING:
      if (o)
         return o->hash (o, v, seed);
      /* fall through */
   case MT_SYMBOL: return XXH3_64bits_withSeed (v.len ? v.p : (const uint8_t *) "", v.len, seed);
   case MT_BOOL:
   case MT_DATE:
   case MT_TIMESTAMP: return mix ((uint64_t) v.i, seed + v.type);
   case MT_DOC:
   case MT_ARRAY: return hash_doc (o, v, seed, depth);
   case MT_OID: return XXH3_64bits_withSeed (v.p, 12, seed + v.type);
   case MT_BINARY:
   case MT_REGEX:
   case MT_CODE:
   case TYPE_DBPOINTER:
   case TYPE_CODE_SCOPE:
      return XXH3_64bits_withSeed (v.len ? v.p : (const uint8_t *) "", v.len, seed + v.type);
   case MT_MISSING:
   case MT_UNDEFINED:
   case MT_NULL: return mix (MT_NULL, seed ^ 0xA5A5);
   }
   return mix (v.type, seed ^ 0xA5A5);
}

uint64_t mt_v_hash (MtVal v, uint64_t seed) { return hash_at (NULL, v, seed, 0); }

uint64_t mt_v_hash_by (const MtTextOrder *o, MtVal v, uint64_t seed)
{
   return hash_at (o, v, seed, 0);
}
