/* Rows that a pipeline reads repeatedly. They are stored in memory up to a limit, and beyond
 * that in a temporary file. An index by one value is optional. Private to apply.c and
 * apply_rows.c. */
#ifndef MT_APPLY_INT_H
#define MT_APPLY_INT_H

#include "engine/local/expr/core.h"

typedef struct MtApplyEntry {
   uint64_t hash;
   uint64_t at;   /* offset of the document in the memory or the file */
   uint32_t next; /* number + 1 of the next entry in the same bucket; 0: none */
} MtApplyEntry;

typedef struct MtApplyRows {
   MtBson mem;    /* documents, one after the other; empty once they are in the file */
   FILE *file;    /* the temporary file with the documents; NULL: the documents are in memory */
   uint64_t size; /* bytes of all documents */
   bool by_key;   /* there is an index, whose entries have the hash of a value */
   MtApplyEntry *entries;
   uint32_t count, cap;
   uint32_t *first, mask;
   /* The following members are the state of reading. */
   bool chosen;       /* reads only the documents whose value has the hash `hash` */
   uint64_t hash, at; /* the hash to read; offset of the next document */
   uint32_t entry;    /* if `chosen`: number + 1 of the next entry; 0: none */
   MtBson buffer;     /* memory for a document that was read from the file */
   bson_t doc;
} MtApplyRows;

/* Adds a document. `key`: its value for the index; NULL: none. If the documents have more than
 * `limit` bytes, they are moved to a file. An index larger than `limit` is dropped. Returns
 * false with *err set on failure. */
bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, const MtVal *key, size_t limit,
                   MtError *err);
/* Must be called after the last mt_apply_add and before the first mt_apply_rewind. */
bool mt_apply_seal (MtApplyRows *r, MtError *err);
/* Restarts reading at the first document. If there is an index and `key` is not NULL, only
 * documents that may have the key are read. */
void mt_apply_rewind (MtApplyRows *r, const MtVal *key);
/* Reads the next document, in the order in which they were added. An MtNextDoc function, whose
 * ctx is the MtApplyRows. */
bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err);
void mt_apply_free (MtApplyRows *r);

#endif
