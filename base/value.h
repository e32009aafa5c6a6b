/* A value: one BSON value in 16 bytes.
 *
 * The engine and SQL use the same type. The engine reads values from documents; in SQL, a value
 * also has a static type, which analysis determines. `type` is BSON's type byte, so values from
 * documents need no conversion. MT_MISSING means that the field does not exist. The bytes at `p`
 * are borrowed from the document, or are in the arena of the function that made the value. */
#ifndef MT_VALUE_H
#define MT_VALUE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

#include <bson/bson.h>
#include <string.h>

struct MtCancel;

enum {
   MT_MISSING = 0x00,
   MT_DOUBLE = 0x01, /* d: the number */
   MT_STRING = 0x02, /* p, len: bytes without the NUL */
   MT_DOC = 0x03,    /* p: the whole document, its length prefix first; len: its size */
   MT_ARRAY = 0x04,  /* like MT_DOC */
   MT_BINARY = 0x05, /* p, len: the bytes; sub: the subtype */
   MT_UNDEFINED = 0x06,
   MT_OID = 0x07,  /* p: 12 bytes */
   MT_BOOL = 0x08, /* i: 0 or 1 */
   /* i: milliseconds since 1970-01-01 UTC; len: 0 to 999 more microseconds, in constants only */
   MT_DATE = 0x09,
   MT_NULL = 0x0A,
   MT_REGEX = 0x0B, /* p: pattern NUL options NUL; len: both with their NULs */
   MT_CODE = 0x0D,  /* p, len: the JavaScript code without its NUL */
   MT_SYMBOL = 0x0E,
   MT_INT32 = 0x10,     /* i: the number */
   MT_TIMESTAMP = 0x11, /* i: the 64 bits as stored */
   MT_INT64 = 0x12,     /* i: the number */
   MT_DECIMAL = 0x13, /* p: 16 bytes, IEEE 754 decimal128 in BID form, little-endian, as in BSON */
   MT_MAXKEY = 0x7F,
   MT_MINKEY = 0xFF
};

typedef struct MtVal {
   uint8_t type;
   uint8_t sub;
   uint16_t pad;
   uint32_t len;
   union {
      int64_t i;
      double d;
      const uint8_t *p;
   };
} MtVal;

static inline bool mt_is_nullish (MtVal v)
{
   return v.type == MT_NULL || v.type == MT_MISSING || v.type == MT_UNDEFINED;
}
static inline bool mt_is_number (MtVal v)
{
   return v.type == MT_INT32 || v.type == MT_INT64 || v.type == MT_DOUBLE || v.type == MT_DECIMAL;
}

/* Returns the number of bytes at v.p, for a value of a type that has bytes. */
static inline size_t mt_v_size (MtVal v)
{
   switch (v.type) {
   case MT_OID: return 12;
   case MT_DECIMAL: return 16;
   default: return v.len;
   }
}

/* Returns the name of array element i, its decimal index. Uses `room` if libbson has no constant
 * string for it. */
#define MT_INDEX_SIZE 16
static inline const char *mt_index_key (uint32_t i, char room[MT_INDEX_SIZE])
{
   const char *key;
   bson_uint32_to_string (i, &key, room, MT_INDEX_SIZE);
   return key;
}

static inline MtVal mt_v_missing (void) { return (MtVal) {.type = MT_MISSING}; }
static inline MtVal mt_v_null (void) { return (MtVal) {.type = MT_NULL}; }
static inline MtVal mt_v_bool (bool b) { return (MtVal) {.type = MT_BOOL, .i = b}; }
static inline MtVal mt_v_int32 (int32_t i) { return (MtVal) {.type = MT_INT32, .i = i}; }
static inline MtVal mt_v_int64 (int64_t i) { return (MtVal) {.type = MT_INT64, .i = i}; }
static inline MtVal mt_v_double (double d) { return (MtVal) {.type = MT_DOUBLE, .d = d}; }
static inline MtVal mt_v_date (int64_t ms) { return (MtVal) {.type = MT_DATE, .i = ms}; }
static inline MtVal mt_v_str (const char *p, size_t n)
{
   return (MtVal) {.type = MT_STRING, .len = (uint32_t) n, .p = (const uint8_t *) p};
}

/* Returns a string value, borrowed. */
static inline MtVal mt_v_cstr (const char *s) { return mt_v_str (s, strlen (s)); }
/* Returns an int32 if the number fits, else an int64. */
static inline MtVal mt_v_int (int64_t i)
{
   return i >= INT32_MIN && i <= INT32_MAX ? mt_v_int32 ((int32_t) i) : mt_v_int64 (i);
}
/* Returns an ObjectId, borrowed. */
static inline MtVal mt_v_oid (const bson_oid_t *oid)
{
   return (MtVal) {.type = MT_OID, .len = sizeof oid->bytes, .p = oid->bytes};
}

/* If v is a binary of subtype 2, removes the length that this subtype repeats before its bytes.
 * Returns other values unchanged. */
static inline MtVal mt_v_bytes (MtVal v)
{
   if (v.type == MT_BINARY && v.sub == 2 && v.len >= 4) {
      v.p += 4;
      v.len -= 4;
   }
   return v;
}

/* Returns whether values of this type have bytes at MtVal.p. */
bool mt_v_has_bytes (uint8_t type);
/* Writes the bytes that v has in a document after its type and name, at most v.len + 16 bytes, to
 * p. Returns a pointer to the byte after them. */
uint8_t *mt_v_store (uint8_t *p, MtVal v);

/* Returns the value at the position of a libbson iterator, borrowed from the document. */
MtVal mt_v_from_iter (const bson_iter_t *it);

/* A growing list of n values at v, in the arena that is given to mt_vals_add. Zero-initialise
 * it. */
typedef struct MtVals {
   MtVal *v;
   size_t n, cap;
} MtVals;
void mt_vals_add (MtVals *l, MtArena *a, MtVal v); /* bytes that the value borrows aren't copied */

/* Returns a copy of a value, with its bytes in arena `a`. */
MtVal mt_v_copy (MtArena *a, MtVal v);

/* Returns a value for a document or an array, borrowed from the bson_t. */
MtVal mt_v_doc (const bson_t *b);
MtVal mt_v_array (const bson_t *b);

/* Returns the rank of a BSON type in MongoDB's sort order, from -1 to 15. Missing and undefined
 * have rank 0, null has 1. */
int mt_v_rank (uint8_t type);
/* Compares two values in MongoDB's order over all BSON types: MinKey, missing and null (equal
 * here), numbers (compared exactly across types, NaN lowest), strings and symbols (bytes),
 * documents, arrays, binary, ObjectId, bool, date, timestamp, regex, MaxKey. Source: MongoDB
 * manual, "Comparison/Sort Order". Returns <0, 0, >0. */
int mt_v_compare (MtVal a, MtVal b);

/* Returns a hash of v. Values that are equal by mt_v_compare have the same hash, for example 1, 1.0
 * and decimal 1, or null and a missing value. */
uint64_t mt_v_hash (MtVal v, uint64_t seed);

/* A comparison of strings other than by bytes, such as a collation. If `compare` returns 0 for two
 * strings, `hash` must return the same number for them. */
typedef struct MtTextOrder {
   int (*compare) (const struct MtTextOrder *o, MtVal a, MtVal b);
   uint64_t (*hash) (const struct MtTextOrder *o, MtVal v, uint64_t seed);
} MtTextOrder;

/* Like mt_v_compare and mt_v_hash, but strings are compared by `o`, also inside documents and
 * arrays. strict: like mt_v_compare_strict instead. o NULL: strings are compared by bytes. */
int mt_v_compare_by (const MtTextOrder *o, MtVal a, MtVal b, bool strict);
uint64_t mt_v_hash_by (const MtTextOrder *o, MtVal v, uint64_t seed);

/* Compares two numbers of any BSON types exactly. Both values must be numbers. */
int mt_v_compare_numbers (MtVal a, MtVal b);

/* Returns whether v is a double or decimal NaN. */
bool mt_v_is_nan (MtVal v);
/* Returns whether v is a string equal to `text`. */
bool mt_v_is_text (MtVal v, const char *text);

/* Appends a value to `out` as MongoDB Extended JSON v2, in canonical or relaxed form. */
void mt_v_to_json (MtVal v, bool canonical, MtBuf *out);

/* ---- documents and arrays, element by element ---- */

/* An iterator over the elements of a document or array. It checks bounds, so the bytes may come
 * from anywhere. Values of two types without a name above, 0x0C (DBPointer) and 0x0F (code with
 * scope), have their raw bytes in p and len. */
typedef struct MtDocIter {
   const uint8_t *p, *end;
} MtDocIter;

MtDocIter mt_doc_iter (MtVal doc); /* a value of another type has no elements */
/* Moves to the next element, and stores its name and value in *key and *v, borrowed from the
 * document. Returns false at the end, or if the bytes are invalid. */
bool mt_doc_next (MtDocIter *it, MtStr *key, MtVal *v);
size_t mt_doc_count (MtVal doc);
/* Returns the first field of the given name; MT_MISSING: no such field. */
MtVal mt_doc_get (MtVal doc, const char *name, size_t len);
static inline MtVal mt_doc_field (MtVal doc, const char *name)
{
   return mt_doc_get (doc, name, strlen (name));
}
/* Returns the array element at an index counted from 0; MT_MISSING: no such element. */
MtVal mt_doc_at (MtVal array, size_t index);

/* The following functions make a document or an array from values, with its bytes in arena `a`.
 * Values of type MT_MISSING are left out of a document, and become null in an array. They fail with
 * 54000 if the result would exceed BSON's limit of 2 GB. */
bool mt_v_make_doc (MtArena *a, const MtStr *keys, const MtVal *vals, size_t n, MtVal *out,
                    MtError *err);
bool mt_v_make_array (MtArena *a, const MtVal *vals, size_t n, MtVal *out, MtError *err);
/* Like mt_v_make_array, for many values. Fails with 57014 if `cancel` is set meanwhile. cancel may
 * be NULL. */
bool mt_v_make_long_array (MtArena *a, const MtVal *vals, size_t n, const struct MtCancel *cancel,
                           MtVal *out, MtError *err);

/* Reads the next component of a dotted path, and moves *path to the component after it. Returns
 * false at the end of the path. */
bool mt_path_next (const char **path, MtStr *component);
/* Returns the value at a dotted path inside the document v; MT_MISSING: no such field. The path ""
 * gives v itself. */
MtVal mt_path_get (MtVal v, const char *path);

/* Returns the elements of an array as a C array of *n values in arena `a`. */
MtVal *mt_v_elements (MtArena *a, MtVal array, size_t *n);

/* Makes a decimal value from its 16 bytes, which are copied into arena `a`. */
MtVal mt_v_decimal (MtArena *a, const uint8_t bytes[16]);

/* Returns MongoDB's name of a value's type, as $type returns it: "double", "int", "missing" … */
const char *mt_v_type_name (MtVal v);

/* Compares two values as MongoDB's expressions do ($eq, $cmp, $in, $sortArray, sets): like
 * mt_v_compare, but a missing or undefined value comes before null. */
int mt_v_compare_strict (MtVal a, MtVal b);

/* Adds the n bytes at p to `out` as a JSON string, with quotes and escapes. */
void mt_json_string (MtBuf *out, const char *p, size_t n);

#endif
