/* Faults: stored counts, sums, extremes and times of a document that differ from those computed
 * from its records, or its finest sums. */
#ifndef MT_FAULTS_H
#define MT_FAULTS_H

#include "layouts/table.h"

typedef enum MtFaultKind {
   MT_FAULT_COUNT,
   MT_FAULT_NONNULL,
   MT_FAULT_SUM,
   MT_FAULT_MIN,
   MT_FAULT_MAX,
   MT_FAULT_FIRST, /* the stored earliest time is wrong */
   MT_FAULT_LAST,  /* the stored latest time is wrong */
   MT_FAULT_COPY,  /* a field that should be a copy of a part of the _id is wrong */
   MT_FAULT_STATE  /* a stored aggregate state is wrong */
} MtFaultKind;

#define MT_FAULT_SEPARATOR '\1'

typedef struct MtFault {
   MtFaultKind kind;
   int column; /* the column of the measure; -1: the fault is not about one measure */
   const struct MtCellState *state; /* MT_FAULT_STATE: the aggregate */
   /* the field's path; its names are joined by MT_FAULT_SEPARATOR */
   const char *path;
   MtVal stored, expected;
} MtFault;

/* Finds stored counts, sums, extremes, aggregate states and times that differ from those computed
 * from the document's records (or its finest sums). Sums of doubles may differ by 1e-9 of the sum
 * of absolute values. *out is in arena a, or borrowed from the document. XX001 if the document does
 * not have the layout's shape. */
bool mt_document_faults (MtArena *a, const MtTableStore *of, MtVal doc, MtFault **out,
                         size_t *count, MtError *err);
/* Writes a copy of the document, with the faults corrected, to `out`, which must be empty (mend.c).
 * False if the copy would be too large. */
bool mt_document_mend (const bson_t *doc, const MtFault *faults, size_t count, bson_t *out);

#endif
