/* Rows that a pipeline reads repeatedly. They are stored in memory up to a limit, and beyond
 * that in a temporary file. An index by one value, by a time, or by both is optional. Private to
 * apply*.c. */
#ifndef MT_APPLY_INT_H
#define MT_APPLY_INT_H

#include "engine/local/exec/run.h"
#include "engine/local/expr/core.h"

typedef struct MtApplyEntry {
   uint64_t hash;
   uint64_t at;   /* offset of the document in the memory or the file */
   int64_t time;  /* milliseconds; INT64_MIN: no time */
   uint32_t next; /* number + 1 of the next entry in the same bucket; 0: none */
} MtApplyEntry;

/* Values of a document for the index. */
typedef struct MtApplyKey {
   const MtVal *value; /* NULL: none */
   const MtVal *time;  /* NULL: none. A value that is no time, nor NULL, ends the use of times. */
} MtApplyKey;

typedef struct MtApplyRows {
   MtBson mem;    /* documents, one after the other; empty once they are in the file */
   FILE *file;    /* the temporary file with the documents; NULL: the documents are in memory */
   uint64_t size; /* bytes of all documents */
   bool by_key;   /* there is an index, whose entries have the hash of a value, or 0 */
   bool by_time;  /* its entries are in the order of hashes, then of times */
   MtApplyEntry *entries;
   uint32_t count, cap;
   uint32_t *first, mask;
   /* The following members are the state of reading. */
   bool chosen;       /* reads only the documents whose value has the hash `hash` */
   uint64_t hash, at; /* the hash to read; offset of the next document */
   uint32_t entry;    /* if `chosen`: number + 1 of the next entry; 0: none */
   int64_t until;     /* if by_time: the last time to read */
   MtBson buffer;     /* memory for a document that was read from the file */
   bson_t doc;
} MtApplyRows;

/* Adds a document. `key`: its values for the index. If the documents have more than `limit`
 * bytes, they are moved to a file. An index larger than `limit` is dropped. Returns false with
 * *err set on failure. */
bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, MtApplyKey key, size_t limit, MtError *err);
/* Must be called after the last mt_apply_add and before the first mt_apply_rewind. */
bool mt_apply_seal (MtApplyRows *r, MtError *err);
/* Restarts reading at the first document. If there is an index by a value and `key` is not NULL,
 * only documents that may have this value are read. With an index by time, only documents with a
 * time from `from` to `until`, both included. */
void mt_apply_rewind (MtApplyRows *r, const MtVal *key, int64_t from, int64_t until);
/* Reads the next document, in the order in which they were added, or of their times. An MtNextDoc function, whose
 * ctx is the MtApplyRows. */
bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err);
void mt_apply_free (MtApplyRows *r);

/* ---- ranges of time ---- */

#define MT_NEAR_FIELD "_mtNear"

/* The variables of a pipeline. */
typedef struct MtApplyNames {
   const char *const *names;
   uint32_t count;
} MtApplyNames;

/* Looks in the first $match of a pipeline for comparisons of one expression over fields with
 * expressions over variables. Sets *value to the former. Returns a pipeline that makes one
 * document {lo, hi} of the latter. MT_MISSING: there are none. */
MtVal mt_apply_near (MtCompile *c, MtApplyNames names, MtVal pipeline, MtVal *value);
/* Returns the pipeline, in c->arena, followed by a stage that adds the field MT_NEAR_FIELD. */
MtVal mt_apply_with_near (MtCompile *c, MtVal pipeline, MtVal value);
/* Reads the bounds of the current row by a cursor over the pipeline of mt_apply_near. A bound that
 * is no time doesn't count. Returns false with *err set on failure. */
bool mt_apply_bounds (MtCursor *cursor, int64_t *from, int64_t *until, MtError *err);

#endif
