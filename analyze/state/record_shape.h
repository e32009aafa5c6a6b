/* Shapes of records: the names and types of a record's fields. During analysis, MtType.mod1 of a
 * record type is the number of its shape. */
#ifndef MT_RECORD_SHAPE_H
#define MT_RECORD_SHAPE_H

#include "analyze/state/binder.h"

typedef struct MtRecordShape {
   const char **names;
   MtType *types;
   int count;
} MtRecordShape;

/* Returns a record type with the fields of `shape`. The names and types in it must stay valid as
 * long as the statement. */
MtType mt_record_type (MtBinder *b, const MtRecordShape *shape);
/* Returns the fields of record type t, or of the records in array type t. NULL: they are not
 * known. */
const MtRecordShape *mt_record_shape_of (MtBinder *b, MtType t);

/* Returns the type without an equality operator (json) that t, an element or a field of t has.
 * MT_T_UNKNOWN: values of type t can be compared. */
MtTypeId mt_record_lacks_equality (MtBinder *b, MtType t);

#endif
