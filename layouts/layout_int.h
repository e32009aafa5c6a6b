/* What the files of layouts/ share: units of time, encodings, checks. Private. */
#ifndef MT_LAYOUT_INT_H
#define MT_LAYOUT_INT_H

#include "base/datetime.h"
#include "layouts/table.h"

/* ---- time ---- */

/* The start (UTC) of the unit around ms; weeks begin on Monday; MT_UNIT_EPOCH gives 0. */
int64_t mt_utc_floor (int64_t ms, MtUnit u);
/* The start of the unit after the one that begins at `start`. */
int64_t mt_utc_next (int64_t start, MtUnit u);
/* Whole units since the start of `of`, without base. */
static inline int64_t mt_utc_part (int64_t ms, MtUnit unit, MtUnit of)
{
   return mt_floor_div (ms - mt_utc_floor (ms, of), mt_unit_ms (unit));
}

/* ---- columns ---- */

static inline bool mt_is_time_type (MtTypeId t) { return t == MT_T_TIMESTAMP || t == MT_T_TIMESTAMPTZ || t == MT_T_DATE; }
static inline bool mt_is_text_type (MtTypeId t) { return t == MT_T_TEXT || t == MT_T_VARCHAR; }

/* ---- paths ---- */

/* The next component of a dotted path; false at its end. */
bool mt_path_next (const char **path, MtStr *component);
/* The value at a path inside a document; MT_MISSING when it isn't there. "" gives v itself. */
MtVal mt_path_get (MtVal v, const char *path);

/* ---- encodings (codec.c) ---- */

/* The text of a time by a format of %Y %m %d %H %M %S and literals. */
void mt_time_format (const char *format, int64_t ms, MtBuf *out);
/* And back; false when the text doesn't have that form. */
bool mt_time_unformat (const char *format, MtStr text, int64_t *ms);
/* The finest unit that a format tells apart and that can be composed from it (year first), or MT_UNIT_EPOCH when it can't. */
MtUnit mt_format_grain (const char *format);

/* The type whose values a binding has: the column's, or timestamptz for a truncated time, bigint for a part. */
MtType mt_binding_type (const MtTable *t, const MtBinding *b);

/* The value of a binding for a record: of the column itself, or made of its time. NULL where the column is. */
MtVal mt_binding_value (const MtTable *t, const MtBinding *b, const MtVal *row);

/* A value as a stored one. Text is added to `scratch` (borrowed until it is changed). 22008 where a time can't be written
 * exactly, 22003 where a number doesn't fit. */
bool mt_encode (const MtEncoding *e, MtType t, MtVal v, MtBuf *scratch, MtVal *out, MtError *err);
/* And back, into the type's own representation; bytes in arena a or borrowed from v. False (no error set): not readable. */
bool mt_decode (MtArena *a, const MtEncoding *e, MtType t, MtVal v, MtVal *out);
/* A number of any BSON type that is whole and fits. */
bool mt_whole_number (MtVal v, int64_t *out);
/* As text, for a map's key or an id; NULL is refused by the caller. Added to out. */
bool mt_encode_text (const MtEncoding *e, MtType t, MtVal v, MtBuf *out, MtError *err);
/* ---- descriptors ---- */

/* "stores[0].root.sub" of a node, added to out. */
void mt_node_path (size_t store, const MtNode *n, MtBuf *out);
/* What a parsed descriptor must fulfil beyond its grammar (check.c). */
bool mt_layout_check (const MtTable *t, const char *name, const MtLayout *l, MtError *err);
bool mt_layout_invalid (MtError *err, const char *layout, const char *path, const char *fmt, ...) __attribute__ ((format (printf, 4, 5)));

static inline bool mt_id_is_auto (const MtStoreDesc *s) { return s->id_count == 0; }
/* True when a binding of the root lies at or under _id. */
bool mt_root_binds_id (const MtStoreDesc *s);

#define MT_FLUSH_LEVELS 50000

#endif
