/* Enumerated types, which users create with CREATE TYPE … AS ENUM.
 *
 * A type is identified by 24 hex digits, which CREATE TYPE generates. The process has one id
 * (MtTypeId) for each of these identities. The name and the labels of a type can change, but its id
 * is valid as long as the process runs. All functions are thread-safe. */
#ifndef MT_ENUM_H
#define MT_ENUM_H

#include "types/type.h"

typedef struct MtEnum {
   MtTypeInfo info, array; /* the type, and its array type */
   const char *handle, *array_handle;
   const char *const *labels; /* in their order */
   size_t count;
} MtEnum;

/* Returns the id of the type with the identity `made` (24 hex digits), which is new at the first
 * call. MT_T_UNKNOWN: there are too many types. */
MtTypeId mt_enum_id (MtStr made);
/* Sets the name, the OIDs (of the type and its array type) and the labels of a type. All values are
 * copied. */
void mt_enum_define (MtTypeId id, const char *name, const uint32_t oids[2],
                     const char *const *labels, size_t count);
/* Returns the current definition of an enumerated type, or of the element type of an array type;
 * never NULL. It is never freed. */
const MtEnum *mt_enum_of (MtTypeId id);
/* Returns the index of a label in the order of the type's labels, from 0; -1: the type has no such
 * label. */
int mt_enum_rank (MtTypeId id, MtStr label);
/* Finds a type by its handle ("enum:…"). */
bool mt_enum_by_handle (MtStr handle, MtTypeId *out);
/* Finds an enumerated type, or an array type of one, by its OID. Returns false if there is none.
 * Only types that the process knows are found. */
bool mt_enum_by_oid (int64_t oid, MtTypeId *out);
/* Compares two labels by their order in the type. */
int mt_enum_compare (MtTypeId id, MtStr a, MtStr b);

#endif
