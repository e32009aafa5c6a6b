/* Values as documents store them: encodings, and the parts of composed ids (docs/lemma.md,
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

/* Returns the type of a binding's values. (A binding says which column a stored value is.) A part
 * of the time, such as the hour, is a bigint. */
MtType mt_binding_type (const MtTable *t, const MtBinding *b);
/* Returns a binding's value for a record: the column's value, the truncated time, or a part of the
 * time such as the hour. */
MtVal mt_binding_value (const MtTable *t, const MtBinding *b, const MtVal *row);

/* Encodes a value of type t for storage. Text is appended to `scratch`, and *out borrows it until
 * scratch changes. 22008 if a time cannot be stored exactly, 22003 if a number does not fit. */
bool mt_encode (const MtEncoding *e, MtType t, MtVal v, MtBuf *scratch, MtVal *out, MtError *err);
/* Appends a value as text, for a map's key or an id. v is not NULL. */
bool mt_encode_text (const MtEncoding *e, MtType t, MtVal v, MtBuf *out, MtError *err);
/* Decodes a stored value. Bytes are in arena a, or borrowed from v. Returns false, without setting
 * an error, if the value cannot be decoded. */
bool mt_decode (MtArena *a, const MtEncoding *e, MtType t, MtVal v, MtVal *out);
/* Reads decimal digits with an optional minus; false if they are malformed or overflow. */
bool mt_read_digits (MtStr s, int64_t *out);
/* Reads a number of any BSON type as an integer; false if it is not whole or does not fit. */
bool mt_whole_number (MtVal v, int64_t *out);

/* ---- composed ids (id.c) ---- */

/* Returns whether two bindings have the same value for every record; encodings are ignored. */
bool mt_same_binding (const MtBinding *a, const MtBinding *b);
/* Returns the byte that ends a part of the id: the first byte of the literal behind the part. The
 * part cannot contain this byte unescaped. 0 for the last part, which takes the rest. */
char mt_id_stop (const MtStoreDesc *s, size_t part);
/* Appends a part's text to an id. `%` is written as "%25", and `stop` likewise. */
void mt_id_escape (MtBuf *out, const char *p, size_t n, char stop);
/* Returns whether a part of an id can be any text, so that only the other parts show where it
 * ends. */
bool mt_id_is_free (const MtTable *t, const MtStoreDesc *s, size_t part);

/* How an id without escapes is split into its parts. A free part can be any text
 * (mt_id_is_free). */
typedef struct MtIdStops {
   /* Index of the only free part, which can contain any byte; id_count: none or several. */
   size_t sole;
   char bytes[16]; /* the bytes that no free part can contain */
   size_t count;
} MtIdStops;

void mt_id_stops (const MtTable *t, const MtStoreDesc *s, MtIdStops *out);
static inline bool mt_id_stops_at (const MtIdStops *x, char c)
{
   return x->count && memchr (x->bytes, c, x->count);
}

/* Appends the text of an id's part to the id, with the store's kind of escapes. 0A000 if the id
 * could then be split in two ways. */
bool mt_id_add_part (const MtTable *t, const MtStoreDesc *s, size_t part, MtStr text, MtBuf *out,
                     MtError *err);
/* Reads a part of a document's id as a value of its binding's type. The value is in arena a, or
 * borrowed from id. Returns false, without setting an error, if the id has another form. */
bool mt_id_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part, MtVal id,
                  MtVal *out);
/* Reads the value of a binding of the root level, from a document's fields or its id. */
bool mt_root_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtBinding *b,
                    MtVal doc, MtVal *out);

/* ---- the time of a document (id.c) ---- */

/* Reads the time of a document's records from the document's root. All records lie in the `unit`
 * that begins at *start; MT_UNIT_MS: exactly at *start. False if the root does not have the
 * time. */
bool mt_document_time (MtArena *a, const MtTable *t, const MtStoreDesc *s, MtVal doc,
                       int64_t *start, MtUnit *unit);
/* Widens the span of time from *first to *last, both included, to whole units. */
void mt_document_span (MtUnit unit, int64_t *first, int64_t *last);

#endif
