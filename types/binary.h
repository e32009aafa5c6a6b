/* PostgreSQL's binary forms of values: those of its functions typsend and typreceive. */
#ifndef MT_BINARY_H
#define MT_BINARY_H

#include "base/str.h"
#include "types/type.h"

/* Returns the type int2vector or oidvector: an array of int2 or oid, whose text has spaces between
 * the elements and no braces. Only columns of the system catalog have it. */
MtType mt_type_vector (MtTypeId element);
bool mt_type_is_vector (MtType t);
/* Returns the OID by which clients know the type: that of text for the type unknown. */
uint32_t mt_type_oid (MtType t);
/* Returns PostgreSQL's pg_type.typlen; -1: the length varies. */
int16_t mt_type_bytes (MtTypeId id);

/* Adds the length of a value and its binary form; for NULL the length -1. Types that PostgreSQL
 * does not have are sent as text. Memory of the conversion comes from arena a. Error: XX001, as for
 * mt_value_print. */
bool mt_binary_put (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                    MtError *err);
/* Reads the binary form of a value, and adds the value's text. Error: 22P03 it is no binary form of
 * the type. */
bool mt_binary_receive (MtType t, const uint8_t *p, size_t n, MtBuf *out, MtError *err);

#endif
