/* PostgreSQL's json: JSON that keeps its text. A value is a string. Its parts are found in the text,
 * and keep theirs, too. */
#ifndef MT_JSON_TEXT_H
#define MT_JSON_TEXT_H

#include "base/error.h"
#include "base/value.h"

/* Checks that a text is JSON. Fails as mt_json_parse does; \u0000 is allowed. */
bool mt_json_text_check (MtStr text, MtError *err);
/* Rewrites the text of a time as PostgreSQL's JSON has it: 2020-01-02T03:04:05+01:00 from
 * 2020-01-02 03:04:05+01. zoned: it ends with a distance from UTC. */
void mt_json_time (MtBuf *b, bool zoned);

/* Returns the type as json_typeof names it. Like all functions below, it takes valid JSON. */
const char *mt_json_text_type (MtStr json);
/* Returns the text without the space around it. Borrowed. */
MtStr mt_json_text_trim (MtStr json);

/* Steps over the fields of an object or the elements of an array. A scalar has none. The texts are
 * borrowed. */
typedef struct MtJsonTextIter {
   const char *p, *end;
   bool object;
} MtJsonTextIter;
MtJsonTextIter mt_json_text_iter (MtStr json);
/* key: the string with its quotes and escapes; empty for an element. */
bool mt_json_text_next (MtJsonTextIter *it, MtStr *key, MtStr *value);
size_t mt_json_text_count (MtStr json);

/* Find a field of an object (the last of that name), or an element counted from 0, from the end if
 * negative. Return false if there is none. Fail (*err is set) on a key with \u0000. */
bool mt_json_text_field (MtStr json, MtStr key, MtStr *out, MtError *err);
bool mt_json_text_element (MtStr json, int64_t index, MtStr *out);
/* Sets *out to the value as ->> returns it: of a string its characters, of null NULL, else the text.
 * In arena a. */
bool mt_json_text_value (MtArena *a, MtStr json, MtVal *out, MtError *err);

#endif
