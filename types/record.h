/* Records: rows as values. A record is the BSON document {n: names, t: types, v: values}, so that it
 * can be printed and compared without its static type. Records are made by queries, and never
 * stored. */
#ifndef MT_RECORD_H
#define MT_RECORD_H

#include "types/type.h"

/* Makes a record in arena a from n parts: an array of the names, an array of the types (MtTypeId as
 * int32), then the values. Fails with 54000 if the record would exceed BSON's limit. */
bool mt_record_make (MtArena *a, const MtVal *parts, size_t n, MtVal *out, MtError *err);

/* Steps over the fields of a record. Names and values are borrowed from the record. */
typedef struct MtRecordIter {
   MtDocIter names, types, values;
} MtRecordIter;
typedef struct MtRecordField {
   MtStr name;
   MtTypeId type;
   MtVal value;
} MtRecordField;
MtRecordIter mt_record_iter (MtVal record);
bool mt_record_next (MtRecordIter *it, MtRecordField *out);
size_t mt_record_count (MtVal record);
/* Returns the value of field i, counted from 0; MT_MISSING: no such field. Borrowed. */
MtVal mt_record_at (MtVal record, size_t i);

/* Adds the text of a record, as PostgreSQL's record_out prints it: (1,"a b",). */
bool mt_record_print (MtVal record, const MtTextStyle *style, MtBuf *out, MtError *err);

#endif
