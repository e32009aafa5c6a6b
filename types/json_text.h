/* PostgreSQL's type json: JSON that keeps its original text. A value is stored as a string.
 * Functions find its parts in the text; the parts keep their texts, too. */
#ifndef MT_JSON_TEXT_H
#define MT_JSON_TEXT_H

#include "base/error.h"
#include "base/value.h"

/* Checks that a text is valid JSON. Errors are those of mt_json_parse, but \u0000 is allowed. */
bool mt_json_text_check (MtStr text, MtError *err);
/* Rewrites the text of a time in b as PostgreSQL's JSON has it: 2020-01-02 03:04:05+01 becomes
 * 2020-01-02T03:04:05+01:00. zoned: the text ends with a UTC offset. */
void mt_json_time (MtBuf *b, bool zoned);

/* Returns the type of a JSON value as json_typeof does. This and all functions below require valid
 * JSON. */
const char *mt_json_text_type (MtStr json);
/* Returns the text without the blanks around it; borrowed. */
MtStr mt_json_text_trim (MtStr json);

/* Iterates over the fields of an object or the elements of an array; a scalar has none. Keys and
 * values are borrowed from the text. */
typedef struct MtJsonTextIter {
   const char *p, *end;
   bool object;
} MtJsonTextIter;
MtJsonTextIter mt_json_text_iter (MtStr json);
/* Sets *key and *value to the next field or element; false: there is none. *key is a string with
 * quotes and escapes; empty for an array element. */
bool mt_json_text_next (MtJsonTextIter *it, MtStr *key, MtStr *value);
size_t mt_json_text_count (MtStr json);

/* Find a field of an object (the last one with this key), or an array element by its index, from 0
 * (negative: from the end). Return false if there is none. mt_json_text_field fails with *err set
 * if a key has \u0000. */
bool mt_json_text_field (MtStr json, MtStr key, MtStr *out, MtError *err);
bool mt_json_text_element (MtStr json, int64_t index, MtStr *out);
/* Sets *out to a value as the operator ->> returns it: for a string its characters, for null NULL,
 * else its text. In arena a. */
bool mt_json_text_value (MtArena *a, MtStr json, MtVal *out, MtError *err);

#endif
