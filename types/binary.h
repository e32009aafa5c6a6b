/* Converts values to and from PostgreSQL's binary formats, those of its functions typsend and
 * typreceive. */
#ifndef MT_BINARY_H
#define MT_BINARY_H

#include "base/str.h"
#include "types/type.h"

/* Returns the type int2vector or oidvector: an array of int2 or oid whose text form has blanks
 * between the elements and no braces. Only columns of the system catalog have such types. */
MtType mt_type_vector (MtTypeId element);
bool mt_type_is_vector (MtType t);
/* Returns the types name and "char" of PostgreSQL's catalog. Their values are text. Only columns of
 * the system catalog and casts have such types. Other expressions over them are of type text. */
MtType mt_type_catalog_name (void);
MtType mt_type_catalog_char (void);
/* Returns whether t is name or "char"; mt_type_is_catalog_char: whether it is "char". */
bool mt_type_is_catalog_text (MtType t);
bool mt_type_is_catalog_char (MtType t);
/* Finds one of the types above, or of their array types, by its OID. */
bool mt_type_of_catalog_oid (int64_t oid, MtType *out);
/* Returns the OID that clients see for a type; for type unknown it is the OID of text. */
uint32_t mt_type_oid (MtType t);
/* Returns PostgreSQL's pg_type.typlen, the size of values in bytes; -1: the size varies. */
int16_t mt_type_bytes (MtType t);

/* Adds the length of a value and its binary form; for NULL the length -1. Types that PostgreSQL
 * does not have are sent as text. Memory of the conversion comes from arena a. Error: XX001, as for
 * mt_value_print. */
bool mt_binary_put (MtArena *a, MtType t, MtVal v, const MtTextStyle *style, MtBuf *out,
                    MtError *err);
/* Reads n bytes as the binary form of a value of type t, and appends the value's text to `out`.
 * Error: 22P03 the bytes are no value of the type. */
bool mt_binary_receive (MtType t, const uint8_t *p, size_t n, MtBuf *out, MtError *err);

#endif
