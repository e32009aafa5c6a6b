/* Checks the structure of BSON documents. A document is checked once, when it is stored; later
 * code reads the document without checks. */
#include "engine/local/documents/check.h"

#include "base/bytes.h"
#include "base/limits.h"
#include "base/str.h"

#include <endian.h>
#include <stddef.h>
#include <string.h>

/* The sizes of BSON values by type. 0xFF: the size varies. 0xFE: there is no such type. */
#define V 0xFF
#define N 0xFE
static const uint8_t fixed_size[0x14] = {
   N, 8, V, V, V, V, 0, 12, 1, 8, 0, V, V, V, V, V, 4, 8, 8, 16,
};
#undef V
#undef N

typedef struct Check {
   const uint8_t *end[MT_MAX_BSON_DEPTH + 1]; /* the terminating zero of each open document */
   unsigned depth;
   bool texts;    /* also check that texts are UTF-8 */
   bool bad_text; /* a text was not UTF-8 */
} Check;

static size_t text_ok (Check *c, const uint8_t *p, size_t len, size_t size)
{
   c->bad_text |= c->texts && !mt_utf8_valid ((const char *) p, len);
   return size;
}

/* Checks the length of the nested document at p, which must fit into `avail` bytes, and enters the
 * document. */
static MtBsonState open_doc (Check *c, const uint8_t *p, size_t avail)
{
   if (avail < 5)
      return MT_BSON_BAD;
   uint32_t len = mt_get32 (p);
   if (len < 5 || len > avail || p[len - 1] != 0)
      return MT_BSON_BAD;
   if (c->depth >= MT_MAX_BSON_DEPTH)
      return MT_BSON_DEEP;
   c->end[++c->depth] = p + len - 1;
   return MT_BSON_OK;
}

/* Returns the size of the BSON string at p including its length prefix. 0: the string is damaged,
 * or longer than `avail` bytes. */
static size_t string_size (Check *c, const uint8_t *p, size_t avail)
{
   if (avail < 5)
      return 0;
   uint32_t len = mt_get32 (p);
   if (len < 1 || len > avail - 4 || p[4 + len - 1] != 0)
      return 0;
   return text_ok (c, p + 4, len - 1, 4 + (size_t) len);
}

static size_t binary_size (const uint8_t *p, size_t avail)
{
   if (avail < 5)
      return 0;
   uint32_t len = mt_get32 (p);
   if (len > avail - 5)
      return 0;
   /* The obsolete binary subtype 2 stores its length twice. */
   if (p[4] == 2 && (len < 4 || mt_get32 (p + 5) != len - 4))
      return 0;
   return 5 + (size_t) len;
}

static size_t regex_size (Check *c, const uint8_t *p, size_t avail)
{
   const uint8_t *a = memchr (p, 0, avail);
   if (!a)
      return 0;
   const uint8_t *b = memchr (a + 1, 0, avail - (size_t) (a + 1 - p));
   return b ? text_ok (c, p, (size_t) (b - p), (size_t) (b + 1 - p)) : 0;
}

/* Checks the value at *p, and moves *p to the byte after the value. But if the value is a document,
 * enters it: moves *p to its first element. */
static MtBsonState step_value (Check *c, uint8_t type, const uint8_t **p, size_t avail)
{
   size_t n = 0;
   MtBsonState state;
   switch (type) {
   case 0x02:
   case 0x0D:
   case 0x0E: n = string_size (c, *p, avail); break;
   case 0x03:
   case 0x04:
      state = open_doc (c, *p, avail);
      *p += 4;
      return state;
   case 0x05: n = binary_size (*p, avail); break;
   case 0x0B: n = regex_size (c, *p, avail); break;
   case 0x0C:
      n = string_size (c, *p, avail);
      n = n && avail - n >= 12 ? n + 12 : 0;
      break;
   case 0x0F: { /* code with scope: its length, a string, a document that ends with it */
      size_t s = avail < 4 ? 0 : string_size (c, *p + 4, avail - 4);
      if (!s || avail - 4 - s < 5 || mt_get32 (*p) != 4 + s + mt_get32 (*p + 4 + s))
         return MT_BSON_BAD;
      state = open_doc (c, *p + 4 + s, avail - 4 - s);
      *p += 4 + s + 4;
      return state;
   }
   default: return MT_BSON_BAD;
   }
   *p += n;
   return n ? MT_BSON_OK : MT_BSON_BAD;
}

/* Returns the NUL that ends the key at p. If the key has none, returns the terminating zero of the
 * document, which is at `end`. */
static inline const uint8_t *key_end (const uint8_t *p, const uint8_t *end)
{
   for (uint64_t x; end - p >= (ptrdiff_t) sizeof x; p += sizeof x) {
      memcpy (&x, p, sizeof x);
      x = le64toh (x);
      /* the lowest set bit is in the first byte that is zero */
      uint64_t zeros = (x - UINT64_C (0x0101010101010101)) & ~x & UINT64_C (0x8080808080808080);
      if (zeros)
         return p + __builtin_ctzll (zeros) / 8;
   }
   while (*p)
      p++;
   return p;
}

static MtBsonState check (const uint8_t *doc, size_t len, bool texts, size_t *at)
{
   Check c;
   c.depth = 0;
   c.texts = texts;
   c.bad_text = false;
   *at = 0;
   if (len < 5 || mt_get32 (doc) != len || open_doc (&c, doc, len) != MT_BSON_OK)
      return MT_BSON_BAD;
   const uint8_t *p = doc + 4;
   for (;;) {
      const uint8_t *end = c.end[c.depth], *start = p;
      if (p == end) {
         p++;
         if (--c.depth == 0)
            return MT_BSON_OK;
         continue;
      }
      uint8_t type = *p++;
      p = key_end (p, end);
      *at = (size_t) (start - doc);
      if (p >= end)
         return MT_BSON_BAD;
      if (texts)
         text_ok (&c, start + 1, (size_t) (p - start - 1), 0);
      p++;
      size_t avail = (size_t) (end - p);
      uint8_t size = 0xFE;
      if (type < sizeof fixed_size)
         size = fixed_size[type];
      else if (type == 0x7F || type == 0xFF)
         size = 0;
      if (size == 0xFE)
         return MT_BSON_BAD;
      if (size != 0xFF) {
         if (size > avail || (type == 0x08 && *p > 1))
            return MT_BSON_BAD;
         p += size;
      } else {
         MtBsonState state = step_value (&c, type, &p, avail);
         if (state != MT_BSON_OK)
            return state;
      }
      if (c.bad_text)
         return MT_BSON_NO_UTF8;
   }
}

MtBsonState mt_bson_check (const uint8_t *doc, size_t len, size_t *at)
{
   return check (doc, len, false, at);
}
MtBsonState mt_bson_check_all (const uint8_t *doc, size_t len, size_t *at)
{
   return check (doc, len, true, at);
}

size_t mt_bson_value_size (uint8_t type, const uint8_t *p)
{
   uint8_t size = type < sizeof fixed_size ? fixed_size[type] : 0;
   if (size < 0xFE)
      return size;
   switch (type) {
   case 0x02:
   case 0x0D:
   case 0x0E: return 4 + (size_t) mt_get32 (p);
   case 0x05: return 5 + (size_t) mt_get32 (p);
   case 0x0B: {
      size_t n = strlen ((const char *) p) + 1;
      return n + strlen ((const char *) p + n) + 1;
   }
   case 0x0C: return 4 + (size_t) mt_get32 (p) + 12;
   /* documents, arrays and code with scope begin with their size */
   default: return mt_get32 (p);
   }
}

MtVal mt_bson_value (uint8_t type, const uint8_t *p)
{
   MtVal v = {.type = type};
   switch (type) {
   case MT_DOUBLE: memcpy (&v.d, p, 8); break;
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL:
      v.len = mt_get32 (p);
      v.len -= v.len > 0; /* 0 if the file lost these bytes after the check (base/mapped.h) */
      v.p = p + 4;
      break;
   case MT_DOC:
   case MT_ARRAY:
      v.len = mt_get32 (p);
      v.p = p;
      break;
   case MT_BINARY:
      v.len = mt_get32 (p);
      v.sub = p[4];
      v.p = p + 5;
      break;
   case MT_BOOL: v.i = *p; break;
   case MT_INT32: v.i = (int32_t) mt_get32 (p); break;
   case MT_DATE:
   case MT_TIMESTAMP:
   case MT_INT64: v.i = (int64_t) mt_get64 (p); break;
   case MT_OID:
      v.len = 12;
      v.p = p;
      break;
   case MT_DECIMAL:
      v.len = 16;
      v.p = p;
      break;
   case MT_REGEX:
      v.len = (uint32_t) mt_bson_value_size (type, p);
      v.p = p;
      break;
   case 0x0C: /* deprecated types, which MtVal does not have */
   case 0x0F: v.type = MT_UNDEFINED; break;
   default: break;
   }
   return v;
}

MtVal mt_bson_field (const uint8_t *doc, size_t len, const char *name)
{
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   size_t n = strlen (name) + 1;
   while (p < end) {
      uint8_t type = *p++;
      const uint8_t *key = p;
      p += strlen ((const char *) p) + 1;
      if ((size_t) (p - key) == n && memcmp (key, name, n) == 0)
         return mt_bson_value (type, p);
      p += mt_bson_value_size (type, p);
   }
   return mt_v_missing ();
}
