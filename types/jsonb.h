/* PostgreSQL's jsonb, stored as BSON values: the canonical form, the order, containment, and what
 * its operators and functions compute.
 *
 * A jsonb value is canonical if it only has JSON's types, and if each object has each key once,
 * sorted by length and then by bytes. SQL's NULL is a nullish value. JSON's null is MT_NULL within
 * objects and arrays. As a whole value it is MT_MAXKEY, because a document field that is null means
 * SQL's NULL. A stored value may have any BSON type and any order of keys. All functions here treat
 * it like its canonical form. BSON types that JSON lacks become relaxed extended JSON.
 *
 * Results are in the arena, or borrowed from the arguments. All functions fail with 54000 if a
 * document would exceed BSON's size limit; other errors are named. */
#ifndef MT_JSONB_H
#define MT_JSONB_H

#include "base/error.h"
#include "base/value.h"

typedef struct MtJsonMember {
   MtStr key;
   MtVal value;  /* as an array element or field has it: JSON's null is MT_NULL */
   size_t order; /* used only inside mt_jsonb_object and mt_document_object */
} MtJsonMember;

static inline MtVal mt_jsonb_null (void) { return (MtVal) {.type = MT_MAXKEY}; }
/* Converts an element or field to a whole jsonb value: JSON's null becomes MT_MAXKEY. */
static inline MtVal mt_jsonb_from_element (MtVal v)
{
   return v.type == MT_NULL || v.type == MT_UNDEFINED ? mt_jsonb_null () : v;
}
/* Converts a whole jsonb value to an element or field: MT_MAXKEY and a missing value become
 * null. */
static inline MtVal mt_jsonb_to_element (MtVal v)
{
   return v.type == MT_MAXKEY || v.type == MT_MISSING ? mt_v_null () : v;
}

/* Parses JSON text into a canonical jsonb value. Errors, with PostgreSQL's details: 22P02 (syntax),
 * 22P05 (\u0000). */
bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Parses JSON text into a BSON document. Fields keep the order of the text, and JSON's null becomes
 * MT_NULL. */
bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Prints a value as PostgreSQL does: {"a": 1, "b": [1, 2]}. Fields are in canonical order. */
void mt_jsonb_print (MtVal v, MtBuf *out);
/* Like mt_jsonb_print, but the fields are in the order in which they are stored. */
void mt_document_print (MtVal v, MtBuf *out);
/* Prints a value as jsonb_pretty does: in several lines, each level indented by four further
 * blanks. */
void mt_jsonb_pretty (MtVal canonical, MtBuf *out);

bool mt_jsonb_canonical (MtArena *a, MtVal v, MtVal *out, MtError *err);
/* Makes a canonical object from members in any order. Of several members with equal keys the last
 * is kept. The array m is sorted in place. */
bool mt_jsonb_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);
/* Like mt_jsonb_object, but the fields have the order of the members. */
bool mt_document_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);

/* Compares two values in the order of PostgreSQL's btree: Object > Array > Boolean > Number >
 * String > Null. An empty array that is a whole value is less than all others. */
int mt_jsonb_compare (MtVal x, MtVal y);
/* Sets *out to a sort key of v, a document: MongoDB sorts the keys in the same order as
 * mt_jsonb_compare sorts the values, and equal values have equal keys. */
bool mt_jsonb_key (MtArena *a, MtVal v, MtVal *out, MtError *err);

/* Returns the type of v as jsonb_typeof does: "null", "string", "number", "boolean", "array" or
 * "object". */
const char *mt_jsonb_type (MtVal v);

/* The first returns whether x contains `part`, as x @> part. All functions below require values in
 * canonical form. */
bool mt_jsonb_contains (MtVal x, MtVal part);
/* Computes v ? key: whether an object has the key, an array has the string as element, or v is the
 * string. */
bool mt_jsonb_has_key (MtVal v, MtStr key);
/* Returns the field of an object with this key; MT_MISSING: there is none. */
MtVal mt_jsonb_field (MtVal v, MtStr key);
/* Returns the element of an array with this index, from the end if index is negative; MT_MISSING:
 * there is none. */
MtVal mt_jsonb_element (MtVal v, int64_t index);
/* Returns the value at a path of n texts, as v #> path; MT_MISSING: there is none. For an array, a
 * text must be an integer. */
MtVal mt_jsonb_at (MtVal v, const MtVal *path, size_t n);

bool mt_jsonb_concat (MtArena *a, MtVal x, MtVal y, MtVal *out, MtError *err);
/* Sets *out to v without these keys of an object, or these strings of an array. Fails with 22023 if
 * v is a scalar. */
bool mt_jsonb_without_keys (MtArena *a, MtVal v, const MtVal *keys, size_t n, MtVal *out,
                            MtError *err);
bool mt_jsonb_without_element (MtArena *a, MtVal v, int64_t index, MtVal *out, MtError *err);
bool mt_jsonb_strip_nulls (MtArena *a, MtVal v, MtVal *out, MtError *err);

typedef enum MtJsonSet {
   MT_JSON_REPLACE, /* replace the value only if the path exists */
   /* replace the value, or add a new key, or add an element at the beginning or end of an array */
   MT_JSON_CREATE,
   /* insert a new key, or an element before the one that the path names */
   MT_JSON_INSERT_BEFORE,
   MT_JSON_INSERT_AFTER,
   MT_JSON_DELETE
} MtJsonSet;

/* A change of a jsonb value, at a path in it. */
typedef struct MtJsonChange {
   const MtVal *path; /* the steps of the path */
   size_t n;
   MtJsonSet how;
   MtVal value; /* the new value; ignored by MT_JSON_DELETE */
} MtJsonChange;

/* Sets *out to v after the change. Errors: 22023 v is a scalar, or the key to insert exists; 22004
 * an element of the path is NULL; 22P02 an array index is no integer. */
bool mt_jsonb_set (MtArena *a, MtVal v, const MtJsonChange *change, MtVal *out, MtError *err);

#endif
