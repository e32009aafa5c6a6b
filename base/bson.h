/* Builds BSON documents. All parts of the project use these functions.
 *
 *     MtBson b = {0};
 *     mt_bson_start (&b);
 *     mt_bson_put (&b, "name", mt_v_cstr ("x"));
 *     size_t list = mt_bson_array (&b, "list");
 *     for (uint32_t i = 0; i < count; i++)
 *        mt_bson_put_at (&b, i, values[i]);
 *     mt_bson_end (&b, list);
 *     bson_t doc;
 *     if (mt_bson_finish (&b, &doc))
 *        use (&doc);       (borrowed from b)
 *     mt_bson_free (&b);
 *
 * Sub-documents are written in place, without copies. No call needs a check: after a failure, the
 * builder drops what is appended, and mt_bson_finish returns false. A build fails if the document
 * exceeds BSON's limit of 2 GB, or if a large document finds no memory (which is then recorded as
 * the statement's shortage, base/memory.h), or if a name contains a NUL byte.
 *
 * The inline functions in the second half are for code that writes millions of fields. They check
 * the room in the buffer and nothing else. */
#ifndef MT_BSON_H
#define MT_BSON_H

#include "base/value.h"

#include <string.h>

/* The bytes of a document, or of a part of one. Initialise it with {0}. Release it with
 * mt_bson_free. */
typedef struct MtBson {
   uint8_t *p;
   size_t n, cap;
   bool failed; /* the build failed: a part of the document was dropped */
} MtBson;

/* ---- documents ---- */

/* Begins a new document in the memory of b. The earlier document in b is lost. */
void mt_bson_start (MtBson *b);
/* Ends the document. *doc is a view of it, borrowed until b changes. Returns false if the build
 * failed. */
bool mt_bson_finish (MtBson *b, bson_t *doc);
/* Ends the document, and appends its fields to `out`. Frees b. False if the build failed. */
bool mt_bson_finish_into (MtBson *b, bson_t *out);
void mt_bson_free (MtBson *b); /* *b is {0} afterwards */

/* Appends a field. MT_MISSING appends nothing. */
void mt_bson_put (MtBson *b, const char *name, MtVal v);
/* Appends a field whose name has n bytes. */
void mt_bson_put_named (MtBson *b, const char *name, size_t n, MtVal v);
/* Appends element i of an array. */
void mt_bson_put_at (MtBson *b, uint32_t i, MtVal v);

/* These functions begin a sub-document or an array, as a field or as element i of an array. Pass
 * the result to mt_bson_end, which ends the sub-document. */
size_t mt_bson_doc (MtBson *b, const char *name);
size_t mt_bson_doc_named (MtBson *b, const char *name, size_t n);
size_t mt_bson_array (MtBson *b, const char *name);
size_t mt_bson_doc_at (MtBson *b, uint32_t i);
size_t mt_bson_array_at (MtBson *b, uint32_t i);
void mt_bson_end (MtBson *b, size_t at);

/* ---- bytes: the fast path ---- */

/* Makes room for `more` bytes. Returns false and sets b->failed if memory is exhausted. */
bool mt_bson_grow (MtBson *b, size_t more);
static inline bool mt_bson_room (MtBson *b, size_t more)
{
   return b->cap - b->n >= more || mt_bson_grow (b, more);
}
static inline void mt_bson_bytes (MtBson *b, const void *p, size_t n)
{
   if (!n || !mt_bson_room (b, n))
      return;
   memcpy (b->p + b->n, p, n);
   b->n += n;
}
static inline void mt_bson_byte (MtBson *b, uint8_t byte)
{
   if (mt_bson_room (b, 1))
      b->p[b->n++] = byte;
}
static inline void mt_bson_int32 (MtBson *b, int32_t i) { mt_bson_bytes (b, &i, 4); }
/* Begins a document without a name. Pass the result to mt_bson_end, which writes the length of the
 * document. */
static inline size_t mt_bson_begin (MtBson *b)
{
   size_t at = b->n;
   mt_bson_int32 (b, 0);
   return at;
}
/* Appends a field's type and name. name_size counts the NUL that ends the name. */
static inline void mt_bson_head (MtBson *b, uint8_t type, const char *name, size_t name_size)
{
   if (!mt_bson_room (b, 1 + name_size))
      return;
   b->p[b->n++] = type;
   memcpy (b->p + b->n, name, name_size);
   b->n += name_size;
}
/* Appends the bytes of a value behind the type and name that mt_bson_head wrote. */
void mt_bson_tail (MtBson *b, MtVal v);
/* Writes the name of array element i. Returns its size with the NUL. */
size_t mt_bson_index (uint32_t i, char out[12]);

/* ---- values ---- */

/* Returns a string value, borrowed. */
static inline MtVal mt_v_cstr (const char *s) { return mt_v_str (s, strlen (s)); }
/* Returns an int32 if the number fits, else an int64. */
static inline MtVal mt_v_int (int64_t i)
{
   return i >= INT32_MIN && i <= INT32_MAX ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i);
}

#endif
