/* Records: rows as values. A record is the BSON document {n: names, t: types, v: values}, so that
 * it can be printed and compared without knowing its type. Records only exist in queries, and are
 * never stored. */
#ifndef MT_RECORD_H
#define MT_RECORD_H

#include "types/type.h"

/* Makes a record in arena a from n parts: parts[0] is an array of the names, parts[1] an array of
 * the types (MtTypeId as int32), the others are the values. Fails with 54000 if the record would
 * exceed BSON's size limit. */
bool mt_record_make (MtArena *a, const MtVal *parts, size_t n, MtVal *out, MtError *err);

/* Iterates over the fields of a record. Names and values are borrowed from it. */
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
/* Returns the value of the field with index i; MT_MISSING: there is no such field. Borrowed. */
MtVal mt_record_at (MtVal record, size_t i);

/* Appends the text of a record as PostgreSQL's record_out prints it, such as (1,"a b",). */
bool mt_record_print (MtVal record, const MtTextStyle *style, MtBuf *out, MtError *err);

#endif
