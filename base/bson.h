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
 * exceeds MT_MAX_VALUE_BYTES, if a large document finds no memory (either is recorded for the
 * statement, base/memory.h), or if a name contains a NUL byte.
 *
 * The inline functions in the second part are for code that writes millions of fields. They check
 * the room in the buffer and nothing else.
 *
 * The third part appends to documents of the driver (bson_t), which go on growing after they were
 * read. No other file calls the driver's functions that append (tools/layers.py). */
#ifndef MT_BSON_H
#define MT_BSON_H

#include "base/value.h"

/* The bytes of a document, or of a part of one. Initialise it with {0}, and release it with
 * mt_bson_free. Initialised with {.arena = a}, its memory is in arena a, which frees it. */
typedef struct MtBson {
   uint8_t *p;
   size_t n, cap;
   MtArena *arena;
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
void mt_bson_free (MtBson *b); /* b can be used again */

/* Appends a field. MT_MISSING appends nothing. */
void mt_bson_put (MtBson *b, const char *name, MtVal v);
/* Appends a field whose name has n bytes. */
void mt_bson_put_named (MtBson *b, const char *name, size_t n, MtVal v);
/* Like mt_bson_put_named, for a name that certainly contains no NUL byte. */
void mt_bson_add (MtBson *b, const char *name, size_t n, MtVal v);
/* Appends element i of an array. */
void mt_bson_put_at (MtBson *b, uint32_t i, MtVal v);

/* Appends several fields, in the notation of the MongoDB shell:
 *
 *     mt_bson_printf (&b, "index: {key: {%s: 1}, name: %s, unique: true}", path, name);
 *
 * Names are written without quotes, texts in single quotes. A number is an int32. These directives
 * take an argument: %s and %.*s (a name or a text), %d (int32), PRId64 (int64), and %p (a const
 * MtVal *; MT_MISSING appends nothing). The format is a part of the program, so it is not checked
 * beyond the compiler's warnings. */
void mt_bson_printf (MtBson *b, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* These functions begin a sub-document or an array, as a field, or as element i of an array. Pass
 * the result to mt_bson_end, which ends the sub-document. */
size_t mt_bson_doc (MtBson *b, const char *name);
size_t mt_bson_doc_named (MtBson *b, const char *name, size_t n);
size_t mt_bson_array (MtBson *b, const char *name);
size_t mt_bson_doc_at (MtBson *b, uint32_t i);
/* Begins a sub-document or an array (type: MT_DOC or MT_ARRAY) as a field. The name has n bytes,
 * and must not contain a NUL byte. Pass the result to mt_bson_end. */
size_t mt_bson_open (MtBson *b, uint8_t type, const char *name, size_t n);
void mt_bson_end (MtBson *b, size_t at);
/* Returns a finished sub-document or array of b. at: the result of the function that began it. The
 * value is borrowed until b changes. It is empty if the build has failed. */
MtVal mt_bson_part (const MtBson *b, size_t at, uint8_t type);

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
/* Begins a document that is not a field of another one, with a length that is still 0. Pass the
 * returned offset to mt_bson_end, which writes the length. */
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
/* Appends the bytes of a value after the type and name, which mt_bson_head has written. */
void mt_bson_tail (MtBson *b, MtVal v);
/* Writes the name of array element i, its decimal index, to `out`. Returns its length with the
 * NUL. */
size_t mt_bson_index (uint32_t i, char out[12]);

/* ---- documents of the driver ---- */

/* Returns an empty document in arena a. */
bson_t *mt_doc_new (MtArena *a);
/* Returns the document {"": v} in arena a. Functions take expressions in this form. */
bson_t *mt_doc_of (MtArena *a, MtVal v);
/* Returns the value v of a document {"": v}. Borrowed from the document. */
MtVal mt_doc_value (const bson_t *d);

/* Appends a field. MT_MISSING appends nothing. Returns false if the document would exceed BSON's
 * limit of 2 GB, or if memory is short (base/memory.h). */
bool mt_doc_append (bson_t *d, const char *name, MtVal v);
/* The following functions are for documents whose size is bounded, such as commands and pipelines.
 * If such a document exceeds BSON's limit, this is a bug, and the process ends. If memory is
 * exhausted, the statement fails later. */
void mt_doc_add (bson_t *d, const char *name, MtVal v);
/* Appends v as the next element of an array. */
void mt_doc_push (bson_t *array, MtVal v);
/* Appends the field `name`: "$path". */
void mt_doc_add_path (MtArena *a, bson_t *d, const char *name, const char *path);
/* Appends fields, like mt_bson_printf. The fields are first built separately and then copied, so
 * their values should be small. */
void mt_doc_printf (bson_t *d, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Begin and end a document or array, `sub`, in a field of d. Between begin and end, only `sub` may
 * be used. */
void mt_doc_begin (bson_t *d, const char *name, bson_t *sub);
void mt_doc_end (bson_t *d, bson_t *sub);
void mt_array_begin (bson_t *d, const char *name, bson_t *sub);
void mt_array_end (bson_t *d, bson_t *sub);

static inline void mt_doc_add_doc (bson_t *d, const char *name, const bson_t *sub)
{
   mt_doc_add (d, name, mt_v_doc (sub));
}
static inline void mt_doc_add_array (bson_t *d, const char *name, const bson_t *sub)
{
   mt_doc_add (d, name, mt_v_array (sub));
}
static inline void mt_doc_add_int (bson_t *d, const char *name, int64_t i)
{
   mt_doc_add (d, name, mt_v_int (i));
}
static inline void mt_doc_add_text (bson_t *d, const char *name, const char *s)
{
   mt_doc_add (d, name, mt_v_cstr (s));
}

#endif
