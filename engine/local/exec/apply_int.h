/* Stores rows that a pipeline reads repeatedly: in memory up to a limit, and beyond that in a
 * temporary file. The rows may be indexed by one value, by a time, or by both. Private to
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

/* The values by which a document is indexed. */
typedef struct MtApplyKey {
   const MtVal *value; /* the value that is looked up by its hash; NULL: none */
   const MtVal *time;  /* NULL: none. by_time ends with a value that is neither a time nor NULL. */
} MtApplyKey;

typedef struct MtApplyRows {
   MtBson mem;    /* documents, one after the other; empty once they are in the file */
   FILE *file;    /* the temporary file with the documents; NULL: the documents are in memory */
   uint64_t size; /* bytes of all documents */
   bool by_key;   /* there is an index by hash; entries without a value have hash 0 */
   bool by_time;  /* entries of equal hash are sorted by time */
   MtApplyEntry *entries;
   uint32_t count, cap;
   uint32_t *first, mask;
   /* The following members are the current state of reading. */
   bool chosen;       /* reads only the documents whose value has the hash `hash` */
   uint64_t hash, at; /* the hash to read; offset of the next document */
   uint32_t entry;    /* if `chosen`: number + 1 of the next entry; 0: none */
   int64_t until;     /* by_time: documents with later times are not read */
   MtBson buffer;     /* memory for a document that was read from the file */
   bson_t doc;
} MtApplyRows;

/* Adds a document. key: the values by which it is indexed. If the documents exceed `limit` bytes,
 * they are moved to a file. If the index exceeds `limit` bytes, it is dropped. Returns false with
 * *err set on failure. */
bool mt_apply_add (MtApplyRows *r, const uint8_t *doc, MtApplyKey key, size_t limit, MtError *err);
/* Builds the index. Call it after the last mt_apply_add and before the first mt_apply_rewind. */
bool mt_apply_seal (MtApplyRows *r, MtError *err);
/* Starts reading from the first document again. If there is an index by value and `key` is not
 * NULL, only documents that may have this value are read. If there is an index by time, only
 * documents with a time from `from` to `until` (inclusive) are read. */
void mt_apply_rewind (MtApplyRows *r, const MtVal *key, int64_t from, int64_t until);
/* Reads the next document into *doc; NULL at the end. Documents come in the order in which they
 * were added, or by time if there is an index by time. The function has the type MtNextDoc; ctx is
 * the MtApplyRows. */
bool mt_apply_next (void *ctx, const bson_t **doc, MtError *err);
void mt_apply_free (MtApplyRows *r);

/* ---- ranges of time ---- */

#define MT_NEAR_FIELD "_mtNear"

/* The names of the variables that a pipeline may use. */
typedef struct MtApplyNames {
   const char *const *names;
   uint32_t count;
} MtApplyNames;

/* Searches the first $match of `pipeline` for comparisons, by <, <=, > or >=, of an expression over
 * fields with expressions over variables. *value: the expression over fields. Returns a pipeline
 * that computes its limits, as a document {lo, hi}, from the variables. MT_MISSING: there is no
 * such comparison. */
MtVal mt_apply_near (MtCompile *c, MtApplyNames names, MtVal pipeline, MtVal *value);
/* Returns `pipeline` followed by a stage that sets the field MT_NEAR_FIELD to `value`. In
 * c->arena. */
MtVal mt_apply_with_near (MtCompile *c, MtVal pipeline, MtVal value);
/* Computes the limits of the time for the current row. cursor: over the pipeline of mt_apply_near.
 * A limit that is no time is ignored. Returns false with *err set on failure. */
bool mt_apply_bounds (MtCursor *cursor, int64_t *from, int64_t *until, MtError *err);

#endif
