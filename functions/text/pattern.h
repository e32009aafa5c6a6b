/* LIKE patterns and regular expressions, for other folders. */
#ifndef MT_FN_PATTERN_H
#define MT_FN_PATTERN_H

#include "engine/local/expr/op.h"

/* Converts a LIKE pattern to a regular expression *out, allocated in arena a: "^…\\z", or "^…" if
 * the pattern ends with %. *exact is true if the pattern has no wildcard; then *out is the text
 * itself. Returns false if the pattern ends with its escape character. */
bool mt_like_regex (MtArena *a, MtStr pattern, MtStr escape, bool ignore_case, const char **out,
                    bool *exact);

/* Returns the prefix that all texts matching a LIKE pattern have, allocated in arena a. The escape
 * character is "\\". *whole is true if the pattern is just that prefix followed by %. */
const char *mt_like_prefix (MtArena *a, MtStr pattern, bool *whole);
/* Returns the least text that is greater than all texts with this prefix, allocated in arena a;
 * NULL if there is none. */
const char *mt_prefix_end (MtArena *a, const char *prefix);

/* Converts a regular expression of the operator ~ to a LIKE pattern, allocated in arena a. *exact
 * is true if both match the same texts. Otherwise the LIKE pattern matches at least the texts that
 * `pattern` matches. NULL: that is not possible. */
const char *mt_regex_as_like (MtArena *a, MtStr pattern, bool *exact);
/* Returns the texts that a regular expression such as ^(a|b)$ matches, allocated in arena a; *count
 * is their number. NULL: it does not have that form. */
const MtVal *mt_regex_as_texts (MtArena *a, MtStr pattern, int *count);
/* Returns a simple regular expression in the syntax of servers, with the option s, in arena a.
 * NULL: it isn't simple. A simple one consists of characters, classes such as [a-z], groups,
 * branches, anchors at the ends, *, + and ?. caseless: the one of ~*; its letters are ASCII. */
const char *mt_regex_simple (MtArena *a, MtStr pattern, bool caseless);

/* Computes SQL's regexp_like. a[] is text, pattern, flags. */
bool mt_regexp_like (MtEval *ev, const MtVal a[3], MtVal *out);

#endif
