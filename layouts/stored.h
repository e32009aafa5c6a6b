/* Values as they are stored in documents: encodings, and the parts of composed ids (docs/lemma.md,
 * section 2). */
#ifndef MT_STORED_H
#define MT_STORED_H

#include "layouts/table.h"

#include <string.h>

static inline bool mt_is_text_type (MtTypeId t)
{
   return t == MT_T_TEXT || t == MT_T_VARCHAR || t == MT_T_BPCHAR || mt_type_is_enum (t);
}

/* ---- encodings (codec.c) ---- */

/* Returns the type of the values of binding b. A binding says in which field, key or _id part a
 * column, a truncated time, or a part of the time is stored. A part of the time, such as the hour,
 * is a bigint. */
MtType mt_binding_type (const MtTable *t, const MtBinding *b);
/* Returns the value that binding b stores of a record: a column's value, the truncated time, or a
 * part of the time such as the hour. */
MtVal mt_binding_value (const MtTable *t, const MtBinding *b, const MtVal *row);

/* Encodes a value of type t for storage. If the result is text, it is appended to `scratch`, and
 * borrowed from there. 22008 if a time cannot be stored exactly, 22003 if a number is out of
 * range. */
bool mt_encode (const MtEncoding *e, MtType t, MtVal v, MtBuf *scratch, MtVal *out, MtError *err);
/* Appends a value, encoded as text, to `out`, as for a map's key or a part of an id. v must not be
 * NULL. */
bool mt_encode_text (const MtEncoding *e, MtType t, MtVal v, MtBuf *out, MtError *err);
/* Decodes a stored value. Bytes are in arena a, or borrowed from v. Returns false, without setting
 * an error, if the value cannot be decoded. */
bool mt_decode (MtArena *a, const MtEncoding *e, MtType t, MtVal v, MtVal *out);
/* Reads decimal digits with an optional minus sign; false if they are malformed or out of range. */
bool mt_read_digits (MtStr s, int64_t *out);
/* Reads a number of any BSON type as an integer; false if it is not an integer, or out of range. */
bool mt_whole_number (MtVal v, int64_t *out);

/* ---- composed ids (id.c) ---- */

/* Returns whether two bindings have the same value for every record; their encodings may differ. */
bool mt_same_binding (const MtBinding *a, const MtBinding *b);
/* Returns the byte that marks the end of part number `part` of an id: the first byte of the fixed
 * text that follows it. The part itself can contain this byte only escaped. 0 for the last part,
 * which ends with the id. */
char mt_id_stop (const MtStoreDesc *s, size_t part);
/* Appends the text p of a part to an id, escaped: "%25" for "%", and likewise for the byte
 * `stop`. */
void mt_id_escape (MtBuf *out, const char *p, size_t n, char stop);
/* Returns whether part number `part` of an id may be any text, so that its end is found only by the
 * parts around it. */
bool mt_id_is_free (const MtTable *t, const MtStoreDesc *s, size_t part);

/* How an id without escapes is split into its parts. A part is free if it may be any text
 * (mt_id_is_free). */
typedef struct MtIdStops {
   /* Index of the only free part, which may contain any byte; id_count: there is no free part, or
    * there are several. */
   size_t sole;
   char bytes[16]; /* the bytes that no free part can contain */
   size_t count;
} MtIdStops;

void mt_id_stops (const MtTable *t, const MtStoreDesc *s, MtIdStops *out);
static inline bool mt_id_stops_at (const MtIdStops *x, char c)
{
   return x->count && memchr (x->bytes, c, x->count);
}

/* Appends `text`, the value of part number `part`, to the id in `out`, with the store's escapes.
 * 0A000 if the id could then be split in two ways. */
bool mt_id_add_part (const MtTable *t, const MtStoreDesc *s, size_t part, MtStr text, MtBuf *out,
                     MtError *err);
/* Reads part number `part` of a document's id as a value of its binding's type. The value is in
 * arena a, or borrowed from id. Returns false, without setting an error, if the id has another
 * form. */
bool mt_id_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part, MtVal id,
                  MtVal *out);
/* Reads the value of binding b of the root level, from a field or the id of document doc. Returns
 * false, without setting an error, if it can't be read. */
bool mt_root_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtBinding *b,
                    MtVal doc, MtVal *out);

/* ---- the time of a document (id.c) ---- */

/* Reads the time of a document's records from its root level. All records are in the interval of
 * length `*unit` that begins at *start; MT_UNIT_MS: they are exactly at *start. False if the root
 * does not store the time. */
bool mt_document_time (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtVal doc,
                       int64_t *start, MtUnit *unit);
/* Widens the time range from *first to *last, both inclusive, to boundaries of the unit. */
void mt_document_span (MtUnit unit, int64_t *first, int64_t *last);

#endif
