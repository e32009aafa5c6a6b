/* Rows that a pipeline reads again and again. They are kept in memory up to a limit, beyond that in
 * a file. An index by one value is optional. Private to apply.c and apply_rows.c. */
#ifndef MT_APPLY_INT_H
#define MT_APPLY_INT_H

#include "engine/local/expr/core.h"

typedef struct MtApplyEntry {
   uint64_t hash;
   uint64_t at;   /* offset of the document */
   uint32_t next; /* the next entry of the same bucket, its number + 1; 0: none */
} MtApplyEntry;

typedef struct MtApplyRows {
   MtBw mem;      /* documents end to end; empty once they are in the file */
   FILE *file;    /* NULL: in memory */
   uint64_t size; /* bytes of all documents */
   bool by_key;   /* there is an index: entries by the hash of a value */
   MtApplyEntry *entries;
   uint32_t count, cap;
   uint32_t *first, mask;
   /* State of reading. */
   bool chosen;       /* only the entries of one bucket with this hash are read */
   uint64_t hash, at; /* at: offset of the next document */
   uint32_t entry;    /* chosen: number + 1 of the next entry; 0: none */
   MtBw buffer;       /* a document from the file */
   bson_t doc;
} MtApplyRows;

/* Adds a document. key: its value for the index, NULL: none. Beyond `limit` bytes the documents go
 * to a file. An index larger than `limit` is dropped. Returns false with *err set. */
bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, const MtVal *key, size_t limit,
                   MtError *err);
/* Ends the adding of documents. */
bool mt_apply_seal (MtApplyRows *r, MtError *err);
/* Restarts reading. With an index and a key, only documents that may have the key are read. */
void mt_apply_rewind (MtApplyRows *r, const MtVal *key);
/* Reads the next document, in the order of adding. ctx is the MtApplyRows. An MtNextDoc. */
bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err);
void mt_apply_free (MtApplyRows *r);

#endif
