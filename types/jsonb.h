/* PostgreSQL's jsonb over BSON values: its canonical form, order, containment, and what its
 * operators and functions compute.
 *
 * A jsonb value is canonical when it has nothing but JSON's types, and each object's keys are there
 * once, by length, then bytes. NULL of SQL is a nullish value; JSON's null is MT_NULL inside of
 * objects and arrays, and MT_MAXKEY where it is a value by itself, since a field that is null is
 * SQL's NULL. What a collection holds may be of any BSON type and in any order: every function here
 * takes it as what its canonical form would be; what isn't JSON is relaxed extended JSON.
 *
 * Results live in the arena, or borrow from the arguments. Errors: 54000 where a document would
 * exceed what BSON can hold, and those named. */
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
/* An element or field as a value by itself, and back. MT_MISSING stays. */
static inline MtVal mt_jsonb_from_element (MtVal v)
{
   return v.type == MT_NULL || v.type == MT_UNDEFINED ? mt_jsonb_null () : v;
}
static inline MtVal mt_jsonb_to_element (MtVal v)
{
   return v.type == MT_MAXKEY || v.type == MT_MISSING ? mt_v_null () : v;
}

/* JSON text. 22P02, 22P05 with PostgreSQL's details. */
bool mt_json_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* The same as BSON, whose fields keep the order of the text; null is NULL. */
bool mt_document_parse (MtArena *a, MtStr text, MtVal *out, MtError *err);
/* As PostgreSQL prints it: {"a": 1, "b": [1, 2]}. Fields of a value that isn't canonical are
 * printed in canonical order. */
void mt_jsonb_print (MtVal v, MtBuf *out);
/* The same without another order of fields, for BSON as it is. */
void mt_document_print (MtVal v, MtBuf *out);
/* In lines, each level four spaces further. */
void mt_jsonb_pretty (MtVal canonical, MtBuf *out);

bool mt_jsonb_canonical (MtArena *a, MtVal v, MtVal *out, MtError *err);
/* An object of members in any order, of which `m` is sorted in place; of equal keys the last one
 * stays. */
bool mt_jsonb_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);
/* The same with members in the order in which they are given. */
bool mt_document_object (MtArena *a, MtJsonMember *m, size_t n, MtVal *out, MtError *err);

/* PostgreSQL's btree order: Object > Array > Boolean > Number > String > Null; an empty array by
 * itself is below all. */
int mt_jsonb_compare (MtVal x, MtVal y);
/* A document by which MongoDB's order is that order, and which is equal for equal values. */
bool mt_jsonb_key (MtArena *a, MtVal v, MtVal *out, MtError *err);

/* "null", "string", "number", "boolean", "array" or "object". */
const char *mt_jsonb_type (MtVal v);

/* The following take canonical values. */
bool mt_jsonb_contains (MtVal x, MtVal part);
bool mt_jsonb_has_key (MtVal v,
                       MtStr key); /* a key of an object, a string of an array, the string */
/* The field or, of an array, the element (from the end when negative); MT_MISSING: none. */
MtVal mt_jsonb_field (MtVal v, MtStr key);
MtVal mt_jsonb_element (MtVal v, int64_t index);
/* The same by a path of texts; of an array a text must be a whole number. */
MtVal mt_jsonb_at (MtVal v, const MtVal *path, size_t n);

bool mt_jsonb_concat (MtArena *a, MtVal x, MtVal y, MtVal *out, MtError *err);
/* Without those keys (strings of an array): 22023 for a scalar. */
bool mt_jsonb_without_keys (MtArena *a, MtVal v, const MtVal *keys, size_t n, MtVal *out,
                            MtError *err);
bool mt_jsonb_without_element (MtArena *a, MtVal v, int64_t index, MtVal *out, MtError *err);
bool mt_jsonb_strip_nulls (MtArena *a, MtVal v, MtVal *out, MtError *err);

typedef enum MtJsonSet {
   MT_JSON_REPLACE,       /* only what is there */
   MT_JSON_CREATE,        /* or a new key, or element at an end */
   MT_JSON_INSERT_BEFORE, /* a new key, or element before that one */
   MT_JSON_INSERT_AFTER,
   MT_JSON_DELETE
} MtJsonSet;

/* What is at a path gets another value. 22023, 22004, 22P02. `value` isn't looked at by
 * MT_JSON_DELETE. */
bool mt_jsonb_set (MtArena *a, MtVal v, const MtVal *path, size_t n, MtJsonSet how, MtVal value,
                   MtVal *out, MtError *err);

#endif
