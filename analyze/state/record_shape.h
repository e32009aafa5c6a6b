/* Shapes of records: the names and types of a row's fields, which MtType.mod1 of a record numbers
 * during analysis. */
#ifndef MT_RECORD_SHAPE_H
#define MT_RECORD_SHAPE_H

#include "analyze/state/binder.h"

typedef struct MtRecordShape {
   const char **names;
   MtType *types;
   int count;
} MtRecordShape;

/* Returns the type of records with these fields. names and types are borrowed for the statement. */
MtType mt_record_type (MtBinder *b, const MtRecordShape *shape);
/* Returns the shape of a record or of an array's records. NULL: it is not known. */
const MtRecordShape *mt_record_shape_of (MtBinder *b, MtType t);

/* Returns the type without equality (json) that t is, or that a field of a record has. MT_T_UNKNOWN:
 * values of t can be compared. */
MtTypeId mt_record_lacks_equality (MtBinder *b, MtType t);

#endif
