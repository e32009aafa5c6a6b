/* Faults: stored counts, sums and ranges of a document that differ from the records or sums
 * below. */
#ifndef MT_FAULTS_H
#define MT_FAULTS_H

#include "layouts/table.h"

typedef enum MtFaultKind {
   MT_FAULT_COUNT,
   MT_FAULT_NONNULL,
   MT_FAULT_SUM,
   MT_FAULT_MIN,
   MT_FAULT_MAX,
   MT_FAULT_FIRST, /* the stored least time is wrong */
   MT_FAULT_LAST,  /* the stored greatest time is wrong */
   MT_FAULT_COPY,  /* a field that copies a part of the _id is wrong */
   MT_FAULT_STATE  /* the stored state of an aggregate is wrong */
} MtFaultKind;

#define MT_FAULT_SEPARATOR '\1'

typedef struct MtFault {
   MtFaultKind kind;
   int column; /* the measure's column; -1: the fault is in the number of records */
   const struct MtCellState *state; /* MT_FAULT_STATE: the aggregate */
   const char *path;                /* names joined by MT_FAULT_SEPARATOR */
   MtVal stored, expected;
} MtFault;

/* Finds stored counts, sums, extremes, states and ranges of time that differ from the document's records
 * (or its finest sums). Sums of doubles may differ by 1e-9 of the sum of absolute values. In arena
 * a, or borrowed from the document. XX001 if the document does not have the layout's shape. */
bool mt_document_faults (MtArena *a, const MtTableStore *of, MtVal doc, MtFault **out,
                         size_t *count, MtError *err);
/* Writes the document to `out`, which is empty, with the faults corrected (mend.c). False if the
 * result would be too large. */
bool mt_document_mend (const bson_t *doc, const MtFault *faults, size_t count, bson_t *out);

#endif
