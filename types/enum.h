/* Enumerated types, which CREATE TYPE … AS ENUM makes.
 *
 * A type is known by its identity: 24 hex digits that CREATE TYPE makes. The process keeps one id
 * (MtTypeId) for each identity. Name and labels can change, so that an id is good for as long as
 * the process runs. All functions may be called by several threads. */
#ifndef MT_ENUM_H
#define MT_ENUM_H

#include "types/type.h"

typedef struct MtEnum {
   MtTypeInfo info, array; /* the type, and its array type */
   const char *handle, *array_handle;
   const char *const *labels; /* in their order */
   size_t count;
} MtEnum;

/* Returns the id of the type with this identity; MT_T_UNKNOWN if there are too many types. */
MtTypeId mt_enum_id (MtStr made);
/* Sets the name, the OIDs and the labels of a type. The values are copied. */
void mt_enum_define (MtTypeId id, const char *name, const uint32_t oids[2],
                     const char *const *labels, size_t count);
/* Returns a type or the type of an array's elements; never NULL. It stays valid. */
const MtEnum *mt_enum_of (MtTypeId id);
/* Returns the place of a label in the order, from 0; -1: the type has no such label. */
int mt_enum_rank (MtTypeId id, MtStr label);
/* Finds a type by its handle ("enum:…"). */
bool mt_enum_by_handle (MtStr handle, MtTypeId *out);
/* Finds a type or an array type of the process by its OID. Stores make OIDs from names. */
bool mt_enum_by_oid (int64_t oid, MtTypeId *out);
/* Compares two labels by their places. */
int mt_enum_compare (MtTypeId id, MtStr a, MtStr b);

#endif
