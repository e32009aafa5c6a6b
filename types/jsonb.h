/* PostgreSQL's jsonb over BSON values: its canonical form, order, containment, and what its
 * operators and functions compute.
 *
 * A jsonb value is canonical if it has JSON's types only, and each object has each key once, sorted by
 * length, then bytes. SQL's NULL is a nullish value. JSON's null is MT_NULL within objects and arrays.
 * By itself it is MT_MAXKEY, because a field that is null is SQL's NULL. A stored value may have any
 * BSON type and any order of keys. Every function here treats it like its canonical form. BSON types
 * that JSON lacks become relaxed extended JSON.
 *
 * Results are in the arena, or borrow from the arguments. Errors: 54000 if a document would exceed
 * BSON's limit, and the errors that are named. */
#ifndef MT_JSONB_H
#define MT_JSONB_H

#include "base/error.h"
#include "base/value.h"

typedef struct MtJsonMember {
   MtStr key;
   MtVal value;  /* as an element */
   size_t order; /* filled by mt_jsonb_object and mt_document_object */
} MtJsonMember;

static inline MtVal mt_jsonb_null (void) { return (MtVal) {.type = MT_MAXKEY}; }
/* Converts an element or field to a value by itself, and back. MT_MISSING stays as it is. */
static inline MtVal mt_jsonb_from_element (MtVal v)
{
   return v.type == MT_NULL || v.type == MT_UNDEFINED ? mt_jsonb_null () : v;
}
static inline MtVal mt_jsonb_to_element (MtVal v)
{
   return v.type == MT_MAXKEY || v.type == MT_MISSING ? mt_v_null () : v;
}

/* Reads JSON text. 22P02, 22P05 with PostgreSQL's details. */
bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Reads JSON text as BSON. Fields keep the order of the text, and null is NULL. */
bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* Prints a value as PostgreSQL does: {"a": 1, "b": [1, 2]}. Fields are printed in canonical order. */
void mt_jsonb_print (MtVal v, MtBuf *out);
/* Like mt_jsonb_print, but fields keep their order. */
void mt_document_print (MtVal v, MtBuf *out);
/* Prints a value in lines, each level indented by four more spaces. */
void mt_jsonb_pretty (MtVal canonical, MtBuf *out);

bool mt_jsonb_canonical (MtArena *a, MtVal v, MtVal *out, MtError *err);
/* Makes an object from members in any order. Sorts m in place. The last of equal keys is kept. */
bool mt_jsonb_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);
/* Like mt_jsonb_object, but members keep their order. */
bool mt_document_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);

/* PostgreSQL's btree order: Object > Array > Boolean > Number > String > Null; an empty array by
 * itself is below all. */
int mt_jsonb_compare (MtVal x, MtVal y);
/* Makes a sort key: MongoDB's order of these documents is mt_jsonb_compare's order, and equal values
 * have equal keys. */
bool mt_jsonb_key (MtArena *a, MtVal v, MtVal *out, MtError *err);

/* "null", "string", "number", "boolean", "array" or "object". */
const char *mt_jsonb_type (MtVal v);

/* The following take canonical values. */
bool mt_jsonb_contains (MtVal x, MtVal part);
bool mt_jsonb_has_key (MtVal v,
                       MtStr key); /* a key of an object, a string of an array, the string */
/* Returns a field of an object, or an element of an array (counted from the end if negative).
 * MT_MISSING if there is none. */
MtVal mt_jsonb_field (MtVal v, MtStr key);
MtVal mt_jsonb_element (MtVal v, int64_t index);
/* Returns the value at a path of texts. For an array, the text must be a whole number. */
MtVal mt_jsonb_at (MtVal v, const MtVal *path, size_t n);

bool mt_jsonb_concat (MtArena *a, MtVal x, MtVal y, MtVal *out, MtError *err);
/* Removes keys of an object, or strings of an array. 22023 if v is a scalar. */
bool mt_jsonb_without_keys (MtArena *a, MtVal v, const MtVal *keys, size_t n, MtVal *out,
                            MtError *err);
bool mt_jsonb_without_element (MtArena *a, MtVal v, int64_t index, MtVal *out, MtError *err);
bool mt_jsonb_strip_nulls (MtArena *a, MtVal v, MtVal *out, MtError *err);

typedef enum MtJsonSet {
   MT_JSON_REPLACE,       /* only if the path exists */
   MT_JSON_CREATE,        /* or a new key, or element at an end */
   MT_JSON_INSERT_BEFORE, /* a new key, or element before that one */
   MT_JSON_INSERT_AFTER,
   MT_JSON_DELETE
} MtJsonSet;

/* Replaces the value at a path. MT_JSON_DELETE ignores `value`. 22023, 22004, 22P02. */
bool mt_jsonb_set (MtArena *a, MtVal v, const MtVal *path, size_t n, MtJsonSet how, MtVal value,
                   MtVal *out, MtError *err);

#endif
