/* Stored numbers of a document that differ from the leaves below them. */
#ifndef MT_FAULTS_H
#define MT_FAULTS_H

#include "layouts/table.h"

typedef enum MtFaultKind {
   MT_FAULT_COUNT,
   MT_FAULT_NONNULL,
   MT_FAULT_SUM,
   MT_FAULT_MIN,
   MT_FAULT_MAX,
   MT_FAULT_FIRST, /* the least time */
   MT_FAULT_LAST,  /* the greatest time */
   MT_FAULT_COPY   /* a copy of a part of the id */
} MtFaultKind;

#define MT_FAULT_SEPARATOR '\1'

typedef struct MtFault {
   MtFaultKind kind;
   int column;       /* -1: the number of records */
   const char *path; /* names joined by MT_FAULT_SEPARATOR */
   MtVal stored, expected;
} MtFault;

/* Finds stored counts, sums, extremes and ranges of time of a document that differ from its leaves.
 * Sums of doubles may differ by 1e-9 of the sum of absolute values. In arena a, or borrowed from
 * the document. XX001 if the document does not have the layout's shape. */
bool mt_document_faults (MtArena *a, const MtTable *t, const MtLayout *l, const MtStoreDesc *s,
                         MtVal doc, MtFault **out, size_t *count, MtError *err);
/* Appends the document to `out`, which is empty, with the expected values in place of the faults
 * (mend.c). False if it would be too large. */
bool mt_document_mend (const bson_t *doc, const MtFault *faults, size_t count, bson_t *out);

#endif
