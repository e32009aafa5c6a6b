/* What documents hold at the ends of their ways: where layouts can be compared, and new ones be
 * made of old ones. */
#ifndef MT_LEAVES_H
#define MT_LEAVES_H

#include "layouts/table.h"

/* A record (nonnull NULL), or a leaf that keeps sums: then its measures' places in `row` have the
 * sums. */
typedef struct MtLeaf {
   MtVal *row; /* a value a column, NULL where the leaf doesn't say; the time is the start of the
                  interval that it lies in */
   int64_t n;  /* records; 0: the leaf doesn't count them */
   const int64_t *nonnull; /* by column: values that were added up; where they aren't counted, as
                              many as records are, or 1 */
} MtLeaf;

/* The leaves of a stored document that node `leaf` describes; those without records are left out.
 * In arena a, or borrowed from the document. XX001 when it doesn't fit the descriptor. */
bool mt_decode_leaves (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                       const MtNode *leaf, MtVal doc, MtLeaf **out, size_t *count, MtError *err);

/* ---- ways, as far as what lies at their ends is concerned ---- */

typedef struct MtLeafWay {
   size_t layout, store;
   const MtLayout *l;
   const MtStoreDesc *s;
   const MtNode *leaf;
   bool records;
   bool timed; /* the time is known to `grain`; MT_UNIT_MS: exactly */
   MtUnit grain;
} MtLeafWay;

/* All leaves of a table's layouts, in their order; in arena a. */
MtLeafWay *mt_leaf_ways (MtArena *a, const MtTable *t, size_t *count);
/* Whether a leaf has a column's exact value; never true of a measure that is summed. */
bool mt_leaf_binds (const MtLeafWay *w, int column);
const MtMeasureAgg *mt_leaf_sum (const MtLeafWay *w,
                                 int column); /* NULL: it keeps no sum of it, or records */
/* The leaf that is right where others differ: the first one of records, or the one that tells most
 * about time and columns. `layout` < 0: of all layouts. */
const MtLeafWay *mt_leaf_trusted (const MtTable *t, const MtLeafWay *ways, size_t count,
                                  int layout);
/* Whether intervals of the finer unit lie within those of the coarser one. */
bool mt_unit_within (MtUnit finer, MtUnit coarser);
/* Whether all that a layout keeps follows from these leaves; else *why (in arena a) says what
 * doesn't. */
bool mt_leaf_gives (MtArena *a, const MtTable *t, const MtLeafWay *from, const MtLayout *to,
                    const char **why);
/* The start of the unit around ms, in UTC. */
int64_t mt_unit_start (int64_t ms, MtUnit unit);

/* ---- what a document stores of what lies below ---- */

typedef enum MtFaultKind {
   MT_FAULT_COUNT,
   MT_FAULT_NONNULL,
   MT_FAULT_SUM,
   MT_FAULT_MIN,
   MT_FAULT_MAX,
   MT_FAULT_FIRST,
   MT_FAULT_LAST,
   MT_FAULT_COPY
} MtFaultKind;

typedef struct MtFault {
   MtFaultKind kind;
   int column;       /* -1: the number of records */
   const char *path; /* names joined by '\1' */
   MtVal stored, expected;
} MtFault;

/* Stored counts, sums, extremes and ranges of time of one document that differ from its leaves
 * (sums of doubles by more than 1e-9 of what was added up); in arena a, or borrowed from the
 * document. XX001 when it doesn't fit the descriptor. */
bool mt_document_faults (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                         MtVal doc, MtFault **out, size_t *count, MtError *err);
/* The document with what was expected in the faults' places, and all else as it is; appended to
 * `out`, which is empty. */
bool mt_document_mend (const bson_t *doc, const MtFault *faults, size_t count, bson_t *out);

#endif
