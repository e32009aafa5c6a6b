/* PostgreSQL's jsonb over BSON values: its canonical form, order, containment, and what its
 * operators and functions compute.
 *
 * A jsonb value is canonical if it has JSON's types only, and each object has each key once, sorted
 * by length, then bytes. SQL's NULL is a nullish value. JSON's null is MT_NULL within objects and
 * arrays. By itself it is MT_MAXKEY, because a field that is null is SQL's NULL. A stored value may
 * have any BSON type and any order of keys. Every function here treats it like its canonical form.
 * BSON types that JSON lacks become relaxed extended JSON.
 *
 * Results are in the arena, or borrow from the arguments. Errors: 54000 if a document would exceed
 * BSON's limit, and the errors that are named. */
#ifndef MT_JSONB_H
#define MT_JSONB_H

#include "base/error.h"
#include "base/value.h"

typedef struct MtJsonMember {
   MtStr key;
   MtVal value;  /* the value, in the form of an array element or field */
   size_t order; /* used only inside mt_jsonb_object and mt_document_object */
} MtJsonMember;

static inline MtVal mt_jsonb_null (void) { return (MtVal) {.type = MT_MAXKEY}; }
/* Converts an element or field to a jsonb value outside a container: JSON's null becomes
 * MT_MAXKEY. */
static inline MtVal mt_jsonb_from_element (MtVal v)
{
   return v.type == MT_NULL || v.type == MT_UNDEFINED ? mt_jsonb_null () : v;
}
/* Converts a jsonb value to an element or field: MT_MAXKEY and a missing value become null. */
static inline MtVal mt_jsonb_to_element (MtVal v)
{
   return v.type == MT_MAXKEY || v.type == MT_MISSING ? mt_v_null () : v;
}

/* Reads JSON text. Fails with 22P02 (syntax) or 22P05 (\u0000), with PostgreSQL's details. */
bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Reads JSON text as a BSON document. Fields keep the order of the text, and JSON's null becomes
 * MT_NULL. */
bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Prints a value as PostgreSQL does: {"a": 1, "b": [1, 2]}. Fields are printed in canonical
 * order. */
void mt_jsonb_print (MtVal v, MtBuf *out);
/* Like mt_jsonb_print, but fields are printed in their stored order. */
void mt_document_print (MtVal v, MtBuf *out);
/* Prints a value as jsonb_pretty does: in several lines, each level indented by four more
 * spaces. */
void mt_jsonb_pretty (MtVal canonical, MtBuf *out);

bool mt_jsonb_canonical (MtArena *a, MtVal v, MtVal *out, MtError *err);
/* Makes a canonical object from members in any order. Sorts m in place. Of several members with
 * equal keys the last is kept. */
bool mt_jsonb_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);
/* Like mt_jsonb_object, but the object's fields keep the order of the members. */
bool mt_document_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);

/* Compares two values in PostgreSQL's btree order: Object > Array > Boolean > Number > String >
 * Null. An empty array that is not inside another value is less than all. */
int mt_jsonb_compare (MtVal x, MtVal y);
/* Makes a sort key, a document. MongoDB sorts the keys as mt_jsonb_compare sorts the values, and
 * equal values have equal keys. */
bool mt_jsonb_key (MtArena *a, MtVal v, MtVal *out, MtError *err);

/* Returns the value of jsonb_typeof: "null", "string", "number", "boolean", "array" or "object". */
const char *mt_jsonb_type (MtVal v);

/* The functions below take values in canonical form. */
bool mt_jsonb_contains (MtVal x, MtVal part);
/* Computes v ? key: whether an object has the key, an array has the string, or v is the string. */
bool mt_jsonb_has_key (MtVal v, MtStr key);
/* Returns a field of an object; MT_MISSING: no such field. */
MtVal mt_jsonb_field (MtVal v, MtStr key);
/* Returns an element of an array, counted from the end if index < 0; MT_MISSING: no such
 * element. */
MtVal mt_jsonb_element (MtVal v, int64_t index);
/* Returns the value at a path of texts. For an array, the text must be a whole number. */
MtVal mt_jsonb_at (MtVal v, const MtVal *path, size_t n);

bool mt_jsonb_concat (MtArena *a, MtVal x, MtVal y, MtVal *out, MtError *err);
/* Removes keys of an object, or strings of an array. Fails with 22023 if v is a scalar. */
bool mt_jsonb_without_keys (MtArena *a, MtVal v, const MtVal *keys, size_t n, MtVal *out,
                            MtError *err);
bool mt_jsonb_without_element (MtArena *a, MtVal v, int64_t index, MtVal *out, MtError *err);
bool mt_jsonb_strip_nulls (MtArena *a, MtVal v, MtVal *out, MtError *err);

typedef enum MtJsonSet {
   MT_JSON_REPLACE, /* replace the value only if the path exists */
   /* replace the value, or add a new key, or an element at an end of the array */
   MT_JSON_CREATE,
   /* insert a new key, or an element before the element that the path names */
   MT_JSON_INSERT_BEFORE,
   MT_JSON_INSERT_AFTER,
   MT_JSON_DELETE
} MtJsonSet;

/* A change of the value at a path. */
typedef struct MtJsonChange {
   const MtVal *path; /* the steps of the path */
   size_t n;
   MtJsonSet how;
   MtVal value; /* the new value; ignored by MT_JSON_DELETE */
} MtJsonChange;

/* Changes v. Errors: 22023 v is a scalar or a key exists, 22004 a null path element, 22P02 an array
 * index that is no integer. */
bool mt_jsonb_set (MtArena *a, MtVal v, const MtJsonChange *change, MtVal *out, MtError *err);

#endif
