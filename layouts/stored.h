/* Values as documents have them: encodings, formats of time, parts of composed ids (docs/lemma.md,
 * section 2). */
#ifndef MT_STORED_H
#define MT_STORED_H

#include "layouts/table.h"

#include <string.h>

/* ---- columns ---- */

static inline bool mt_is_text_type (MtTypeId t) { return t == MT_T_TEXT || t == MT_T_VARCHAR; }

/* ---- encodings (codec.c) ---- */

/* Years that a format can say: 0000 to 9999. */
#define MT_FORMAT_MIN_MS INT64_C (-62167219200000)
#define MT_FORMAT_MAX_MS INT64_C (253402300799999)

/* The text of a time by a format of %Y %m %d %H %M %S and literals. */
void mt_time_format (const char *format, int64_t ms, MtBuf *out);
/* And back; false when the text doesn't have that form. */
bool mt_time_unformat (const char *format, MtStr text, int64_t *ms);
/* The finest unit that a format tells apart and that can be composed from it (year first), or
 * MT_UNIT_EPOCH when it can't. */
MtUnit mt_format_grain (const char *format);

/* The type whose values a binding has: the column's, or timestamptz for a truncated time, bigint
 * for a part. */
MtType mt_binding_type (const MtTable *t, const MtBinding *b);

/* The value of a binding for a record: of the column itself, or made of its time. NULL where the
 * column is. */
MtVal mt_binding_value (const MtTable *t, const MtBinding *b, const MtVal *row);

/* A value as a stored one. Text is added to `scratch` (borrowed until it is changed). 22008 where a
 * time can't be written exactly, 22003 where a number doesn't fit. */
bool mt_encode (const MtEncoding *e, MtType t, MtVal v, MtBuf *scratch, MtVal *out, MtError *err);
/* And back, into the type's own representation; bytes in arena a or borrowed from v. False (no
 * error set): not readable. */
bool mt_decode (MtArena *a, const MtEncoding *e, MtType t, MtVal v, MtVal *out);
/* Decimal digits, perhaps with a minus before them, that fit. */
bool mt_read_digits (MtStr s, int64_t *out);
/* A number of any BSON type that is whole and fits. */
bool mt_whole_number (MtVal v, int64_t *out);
/* As text, for a map's key or an id; NULL is refused by the caller. Added to out. */
bool mt_encode_text (const MtEncoding *e, MtType t, MtVal v, MtBuf *out, MtError *err);

/* ---- composed ids (id.c) ---- */

/* Whether two bindings say the same of a record, however they write it. */
bool mt_same_binding (const MtBinding *a, const MtBinding *b);
/* The first byte of the literal behind a part of the id, which the part can't contain; 0: the part
 * is the last, and takes the rest. */
char mt_id_stop (const MtStoreDesc *s, size_t part);
/* A part's text as it stands in the id: `%` and `stop` as "%25" and so on. Added to out. */
void mt_id_escape (MtBuf *out, const char *p, size_t n, char stop);
/* Whether a part can be any text, so that only the other parts tell where it ends. */
bool mt_id_is_free (const MtTable *t, const MtStoreDesc *s, size_t part);

/* How ids without escapes are told apart. */
typedef struct MtIdStops {
   size_t sole; /* the only part that is free, which can contain anything; id_count: there is none,
                   or several */
   char bytes[16]; /* that no free part can contain */
   size_t count;
} MtIdStops;

void mt_id_stops (const MtTable *t, const MtStoreDesc *s, MtIdStops *out);
static inline bool mt_id_stops_at (const MtIdStops *x, char c)
{
   return x->count && memchr (x->bytes, c, x->count);
}

/* Adds a part's text to an id, as the store writes it. 0A000 where the id could be read as other
 * parts, too. */
bool mt_id_add_part (const MtTable *t, const MtStoreDesc *s, size_t part, const char *p, size_t n,
                     MtBuf *out, MtError *err);
/* The value of a part of a document's id, of the type of its binding; in arena a, or borrowed from
 * id. False (no error set): the id isn't composed like this. */
bool mt_id_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, size_t part, MtVal id,
                  MtVal *out);
/* The value of a binding of the root, from wherever it is read. */
bool mt_root_value (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtBinding *b,
                    MtVal doc, MtVal *out);

#endif
