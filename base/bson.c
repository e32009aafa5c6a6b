#include "base/bson.h"

#include "base/memory.h"

#include <stdlib.h>

/* Documents up to this size are requests of bounded size, which never fail (base/memory.h). */
enum { BOUNDED = 64 << 20 };

/* ---- bytes ---- */

bool mt_bson_grow (MtBson *b, size_t more)
{
   size_t need = b->n + more;
   if (need > INT32_MAX) {
      b->failed = true;
      return false;
   }
   if (need <= BOUNDED) {
      b->cap = mt_room ("document", b->cap, need, 256, 1, sizeof b->cap);
      b->p = mt_realloc ("document", b->p, b->cap);
      return true;
   }
   uint8_t *p = mt_try_room ("document", b->p, &b->cap, need, 256, 1, sizeof b->cap);
   if (p)
      b->p = p;
   else
      b->failed = true;
   return p != NULL;
}

static void put_string (MtBson *b, MtVal v)
{
   int32_t size = (int32_t) v.len + 1;
   if (!mt_bson_room (b, (size_t) v.len + 5))
      return;
   memcpy (b->p + b->n, &size, 4);
   if (v.len)
      memcpy (b->p + b->n + 4, v.p, v.len);
   b->p[b->n + 4 + v.len] = 0;
   b->n += (size_t) v.len + 5;
}

void mt_bson_tail (MtBson *b, MtVal v)
{
   switch (v.type) {
   case MT_DOUBLE:
   case MT_DATE:
   case MT_INT64:
   case MT_TIMESTAMP: mt_bson_bytes (b, &v.i, 8); return;
   case MT_INT32: mt_bson_int32 (b, (int32_t) v.i); return;
   case MT_BOOL: mt_bson_byte (b, v.i != 0); return;
   case MT_STRING:
   case MT_CODE:
   case MT_SYMBOL: put_string (b, v); return;
   case MT_OID: mt_bson_bytes (b, v.p, 12); return;
   case MT_DECIMAL: mt_bson_bytes (b, v.p, 16); return;
   case MT_BINARY:
      mt_bson_int32 (b, (int32_t) v.len);
      mt_bson_byte (b, v.sub);
      mt_bson_bytes (b, v.p, v.len);
      return;
   case MT_MISSING:
   case MT_NULL:
   case MT_UNDEFINED:
   case MT_MINKEY:
   case MT_MAXKEY: return;                 /* these types have no bytes after the name */
   default: mt_bson_bytes (b, v.p, v.len); /* documents, arrays, and types kept as raw bytes */
   }
}

size_t mt_bson_index (uint32_t i, char out[12])
{
   char tmp[12];
   size_t n = 0;
   do
      tmp[n++] = (char) ('0' + i % 10);
   while (i /= 10);
   for (size_t k = 0; k < n; k++)
      out[k] = tmp[n - 1 - k];
   out[n] = 0;
   return n + 1;
}

/* ---- fields ---- */

static void put_head (MtBson *b, uint8_t type, const char *name, size_t n)
{
   if (n && memchr (name, 0, n))
      b->failed = true;
   mt_bson_byte (b, type);
   mt_bson_bytes (b, name, n);
   mt_bson_byte (b, 0);
}

void mt_bson_put_named (MtBson *b, const char *name, size_t n, MtVal v)
{
   if (v.type == MT_MISSING)
      return;
   put_head (b, v.type, name, n);
   mt_bson_tail (b, v);
}

void mt_bson_put (MtBson *b, const char *name, MtVal v)
{
   if (v.type == MT_MISSING)
      return;
   mt_bson_head (b, v.type, name, strlen (name) + 1);
   mt_bson_tail (b, v);
}

void mt_bson_put_at (MtBson *b, uint32_t i, MtVal v)
{
   char name[12];
   if (v.type == MT_MISSING)
      v = mt_v_null ();
   mt_bson_head (b, v.type, name, mt_bson_index (i, name));
   mt_bson_tail (b, v);
}

size_t mt_bson_doc (MtBson *b, const char *name)
{
   mt_bson_head (b, MT_DOC, name, strlen (name) + 1);
   return mt_bson_begin (b);
}

size_t mt_bson_doc_named (MtBson *b, const char *name, size_t n)
{
   put_head (b, MT_DOC, name, n);
   return mt_bson_begin (b);
}

size_t mt_bson_array (MtBson *b, const char *name)
{
   mt_bson_head (b, MT_ARRAY, name, strlen (name) + 1);
   return mt_bson_begin (b);
}

static size_t begin_at (MtBson *b, uint8_t type, uint32_t i)
{
   char name[12];
   mt_bson_head (b, type, name, mt_bson_index (i, name));
   return mt_bson_begin (b);
}

size_t mt_bson_doc_at (MtBson *b, uint32_t i) { return begin_at (b, MT_DOC, i); }
size_t mt_bson_array_at (MtBson *b, uint32_t i) { return begin_at (b, MT_ARRAY, i); }

void mt_bson_end (MtBson *b, size_t at)
{
   mt_bson_byte (b, 0);
   if (b->failed)
      return; /* after a failure, `at` may lie beyond the bytes that were kept */
   int32_t size = (int32_t) (b->n - at);
   memcpy (b->p + at, &size, 4);
}

/* ---- documents ---- */

void mt_bson_start (MtBson *b)
{
   b->n = 0;
   b->failed = false;
   mt_bson_begin (b);
}

bool mt_bson_finish (MtBson *b, bson_t *doc)
{
   mt_bson_end (b, 0);
   return !b->failed && bson_init_static (doc, b->p, b->n);
}

bool mt_bson_finish_into (MtBson *b, bson_t *out)
{
   bson_t doc;
   bool ok = mt_bson_finish (b, &doc) && bson_concat (out, &doc);
   mt_bson_free (b);
   return ok;
}

void mt_bson_free (MtBson *b)
{
   free (b->p);
   *b = (MtBson) {0};
}
