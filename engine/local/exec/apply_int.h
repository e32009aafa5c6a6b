/* Rows that a pipeline reads again and again: kept in memory up to a limit, in a file beyond, found
 * by one value where that is wanted. Private to apply.c and apply_rows.c. */
#ifndef MT_APPLY_INT_H
#define MT_APPLY_INT_H

#include "engine/local/expr/core.h"

typedef struct MtApplyEntry {
   uint64_t hash;
   uint64_t at;   /* of the document */
   uint32_t next; /* of the same bucket: number + 1 */
} MtApplyEntry;

typedef struct MtApplyRows {
   MtBw mem;      /* end to end; empty once they are in the file */
   FILE *file;    /* NULL: in memory */
   uint64_t size; /* bytes of all documents */
   bool by_key;   /* there is an index: entries by the hash of a value */
   MtApplyEntry *entries;
   uint32_t count, cap;
   uint32_t *first, mask;
   /* reading */
   bool chosen;       /* only those of one bucket chain with this hash */
   uint64_t hash, at; /* at: of the next document */
   uint32_t entry;    /* chosen: number + 1 of the next; 0: no more */
   MtBw buffer;       /* a document out of the file */
   bson_t doc;
} MtApplyRows;

/* Adds a document; key: its value for the index, NULL: there is none. Beyond `limit` bytes it goes
 * to a file, and an index that outgrows as much is given up. False: err is set. */
bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, const MtVal *key, size_t limit,
                   MtError *err);
/* After the last one. */
bool mt_apply_seal (MtApplyRows *r, MtError *err);
/* From the first one again; with an index and a key those alone that may have it. */
void mt_apply_rewind (MtApplyRows *r, const MtVal *key);
/* MtNextDoc; ctx is the MtApplyRows. In the order in which they were added. */
bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err);
void mt_apply_free (MtApplyRows *r);

#endif
