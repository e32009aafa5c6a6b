/* The statements CHECK, REPAIR, VACUUM and PREALLOCATE. */
#ifndef MT_SESSION_MAINTAIN_H
#define MT_SESSION_MAINTAIN_H

#include "session/core/core.h"

/* The result of mt_document_strays. strays: the document has rows whose time belongs to another
 * partition; `time` is the time of such a row. Queries with a condition on the time do not find
 * these rows. */
typedef struct MtStray {
   bool strays;
   int64_t time;
} MtStray;

/* A partition of a table's store, and how the records or sums in its documents are read
 * (MtLeafWay). */
typedef struct MtPartitionWay {
   const MtTable *table;
   const MtLeafWay *way;
   const MtPartition *part;
} MtPartitionWay;

/* Sets *out to whether a document of a partition has rows whose time belongs to another
 * partition. */
bool mt_document_strays (MtArena *a, const MtPartitionWay *way, const bson_t *doc, MtStray *out,
                         MtError *err);

/* Returns whether REPAIR moves rows of store w that are in a wrong partition: it can write the
 * store again from the correct layout `right` (NULL: there is none). REPAIR changes neither
 * attached documents nor, in the embedded engine, rows that are themselves the source. */
bool mt_strays_move (const MtSession *s, const MtLeafWay *right, const MtLeafWay *w);

/* Returns the element of `ways` that describes how the leaves (records or sums) of a store are
 * read; NULL: none. */
const MtLeafWay *mt_way_of_store (const MtLeafWay *ways, size_t count, size_t layout, size_t store);

/* A record or sum that differs between two layouts. `stored` and `expected` are its values as
 * texts; NULL: it has no value there. */
typedef struct MtDifference {
   const MtLeafWay *way;
   MtVal document; /* the _id of a document that holds the record or sum; MT_MISSING: none */
   const char *cell, *what, *stored, *expected;
} MtDifference;

typedef void (*MtFoundDifference) (void *ctx, const MtDifference *d);

typedef struct MtLeafComparison {
   const MtTable *table;
   const MtLeafWay *right, *other; /* the two layouts; `right` is the correct one */
   /* called for each difference; NULL: differences are only counted */
   MtFoundDifference found;
   void *ctx;
} MtLeafComparison;

/* Compares the records or sums of two layouts, calls x->found for each difference, and counts the
 * differences in *count. */
bool mt_compare_leaves (MtStatement *st, const MtLeafComparison *x, uint64_t *count, MtError *err);

/* Returns whether the records or sums of two layouts have a common key, so that they can be
 * compared. */
bool mt_comparable (const MtLeafWay *right, const MtLeafWay *other);

/* These functions run PREALLOCATE, CHECK, REPAIR and VACUUM. */
bool mt_run_preallocate (MtStatement *st, MtError *err);
bool mt_run_check (MtStatement *st, MtError *err);
bool mt_run_repair (MtStatement *st, MtError *err);
bool mt_run_vacuum (MtStatement *st, MtError *err);

#endif
