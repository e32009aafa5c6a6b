/* Reads values from BSON bytes. */
#ifndef MT_BSON_VALUE_H
#define MT_BSON_VALUE_H

#include "base/bson.h"
#include "base/bytes.h"

/* Writes an MtVal by a single store instruction. The value is usually copied right after. After
 * several separate stores, the processor would delay that copy. */
static inline void mt_put (MtVal *out, uint8_t type, uint32_t len, uint64_t word)
{
   typedef uint64_t Pair __attribute__ ((vector_size (16)));
   Pair v = {type | (uint64_t) len << 32, word};
   _Static_assert (sizeof v == sizeof *out && offsetof (MtVal, len) == 4,
                   "mt_put knows how values lie in memory");
   memcpy (out, &v, sizeof v);
}

/* Reads the value of a BSON element. p: the first byte after its key. Returns the size of the
 * value, or -1 if it does not end before `end`. Does not check the contents of documents. */
int64_t mt_x_load (uint8_t type, const uint8_t *p, const uint8_t *end, MtVal *out);

/* Like mt_x_load, but inline for the most frequent types. */
static inline int64_t mt_x_load_fast (uint8_t type, const uint8_t *p, const uint8_t *end,
                                      MtVal *out)
{
   size_t room = (size_t) (end - p);
   uint32_t n;
   if (type == MT_DOC || type == MT_ARRAY) {
      if (room < 5 || (n = mt_get32 (p)) < 5 || n > room)
         return -1;
      mt_put (out, type, n, (uintptr_t) p);
      return n;
   }
   if (type == MT_STRING) {
      if (room < 5 || (n = mt_get32 (p)) < 1 || n > room - 4)
         return -1;
      mt_put (out, type, n - 1, (uintptr_t) (p + 4));
      return (int64_t) n + 4;
   }
   if (room < 8 || (type != MT_INT64 && type != MT_DOUBLE && type != MT_DATE))
      return mt_x_load (type, p, end, out);
   mt_put (out, type, 0, mt_get64 (p));
   return 8;
}

/* Returns the size of a value as mt_x_load does, without reading the value. */
static inline int64_t mt_x_size (uint8_t type, const uint8_t *p, const uint8_t *end)
{
   size_t room = (size_t) (end - p);
   MtVal v;
   if (type == MT_DOC || type == MT_ARRAY) {
      uint32_t n = room < 5 ? 0 : mt_get32 (p);
      return n >= 5 && n <= room ? (int64_t) n : -1;
   }
   if (type == MT_STRING) {
      uint32_t n = room < 5 ? 0 : mt_get32 (p);
      return n >= 1 && n <= room - 4 ? (int64_t) n + 4 : -1;
   }
   if (room >= 8 && (type == MT_INT64 || type == MT_DOUBLE || type == MT_DATE))
      return 8;
   return mt_x_load (type, p, end, &v);
}

/* Allocates memory outside of arenas. If there is no memory, the process ends with a message.
 * mt_x_aligned also returns zeroed memory. */
void *mt_x_calloc (size_t n, size_t size);
void *mt_x_realloc (void *p, size_t size);
void *mt_x_aligned (size_t align, size_t size);

uint32_t mt_bytes_len (MtVal v);
/* Returns a copy of v in the arena `a`. If memory is exhausted, returns null, and the statement
 * fails later (base/memory.h). */
MtVal mt_x_own (MtArena *a, MtVal v);

/* Appends a value in the format of temporary files, which mt_unpack reads. */
void mt_pack (MtBson *b, MtVal v);
/* Reads a value that mt_pack has written, and moves *p to the byte after it. *out borrows from the
 * bytes. Returns false if the bytes are not a valid value. */
bool mt_unpack (const uint8_t **p, const uint8_t *end, MtVal *out);

/* The fields of a document that is being built, with distinct names. Must be zeroed first. All its
 * memory is in one arena. */
typedef struct MtFieldList {
   MtStr *keys;
   MtVal *vals;
   size_t n, cap;
} MtFieldList;

/* Adds a field, or replaces the value of the field with this name. */
void mt_field_list_set (MtArena *a, MtFieldList *f, MtStr key, MtVal v);

#endif
