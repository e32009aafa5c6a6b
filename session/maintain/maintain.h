/* CHECK, REPAIR, VACUUM, PREALLOCATE. */
#ifndef MT_SESSION_MAINTAIN_H
#define MT_SESSION_MAINTAIN_H

#include "session/core/core.h"

/* A document with rows of another partition's time. Conditions on the time do not find these
 * rows. */
typedef struct MtStray {
   bool strays;
   int64_t time;
} MtStray;

/* A partition of a table's store, and the way to the leaves of its documents. */
typedef struct MtPartitionWay {
   const MtTable *table;
   const MtLeafWay *way;
   const MtPartition *part;
} MtPartitionWay;

/* Checks whether a document has rows of another partition's time. */
bool mt_document_strays (MtArena *a, const MtPartitionWay *way, const bson_t *doc, MtStray *out,
                         MtError *err);

/* Whether REPAIR moves such rows to their partition. It does if it can make the store again from
 * the correct layout (NULL: there is none). It does not change attached documents, nor, in the
 * embedded engine, the rows that are the source themselves. */
bool mt_strays_move (const MtSession *s, const MtLeafWay *right, const MtLeafWay *w);

/* The way to a store's leaves; NULL: there is none. */
const MtLeafWay *mt_way_of_store (const MtLeafWay *ways, size_t count, size_t layout, size_t store);

/* A leaf that differs between two layouts. stored and expected are text; NULL: no value. */
typedef struct MtDifference {
   const MtLeafWay *way;
   MtVal document; /* the _id of a document with the leaf; MT_MISSING: none */
   const char *cell, *what, *stored, *expected;
} MtDifference;

typedef void (*MtFoundDifference) (void *ctx, const MtDifference *d);

typedef struct MtLeafComparison {
   const MtTable *table;
   const MtLeafWay *right, *other; /* right: the correct one */
   MtFoundDifference found;        /* receives each difference; NULL: they are only counted */
   void *ctx;
} MtLeafComparison;

/* Compares the leaves of two layouts. *count: the number of differences. */
bool mt_compare_leaves (MtStatement *st, const MtLeafComparison *x, uint64_t *count, MtError *err);

/* Whether the leaves of two layouts can be compared. */
bool mt_comparable (const MtLeafWay *right, const MtLeafWay *other);

/* The functions of the table of statements. */
bool mt_run_preallocate (MtStatement *st, MtError *err);
bool mt_run_check (MtStatement *st, MtError *err);
bool mt_run_repair (MtStatement *st, MtError *err);
bool mt_run_vacuum (MtStatement *st, MtError *err);

#endif
