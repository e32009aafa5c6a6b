/* LIKE patterns and regular expressions, for use outside functions/text. */
#ifndef MT_FN_PATTERN_H
#define MT_FN_PATTERN_H

#include "engine/local/expr/op.h"

/* Translates a LIKE pattern to a regular expression, in arena a: "^…\\z", or "^…" if the pattern
 * ends in %. *exact: the pattern has no wildcard, and *out is the text itself. False: the
 * pattern ends in its escape character. */
bool mt_like_regex (MtArena *a, MtStr pattern, MtStr escape, bool ignore_case, const char **out,
                    bool *exact);

/* Returns the text that all texts of a LIKE pattern begin with, in arena a. The escape character is
 * "\\". *whole: the pattern is that text, then %. */
const char *mt_like_prefix (MtArena *a, MtStr pattern, bool *whole);
/* Returns the least text that is greater than all texts that begin with `prefix`, in arena a. NULL:
 * there is none. */
const char *mt_prefix_end (MtArena *a, const char *prefix);

/* Translates a regular expression of the operator ~ to a LIKE pattern, in arena a. *exact: both
 * match the same texts. Otherwise each text that `pattern` matches also matches the LIKE pattern.
 * NULL: there is no such LIKE pattern. */
const char *mt_regex_as_like (MtArena *a, MtStr pattern, bool *exact);
/* Returns the texts that a regular expression such as ^(a|b)$ matches, in arena a. NULL: it isn't of
 * that form. */
const MtVal *mt_regex_as_texts (MtArena *a, MtStr pattern, int *count);
/* Returns a simple regular expression in the syntax of servers, with the option s, in arena a. NULL:
 * it isn't simple. A simple one consists of characters, classes such as [a-z], groups, branches,
 * anchors at the ends, *, + and ?. caseless: the one of ~*; its letters are ASCII. */
const char *mt_regex_simple (MtArena *a, MtStr pattern, bool caseless);

/* SQL's regexp_like. a: text, pattern, flags. */
bool mt_regexp_like (MtEval *ev, const MtVal a[3], MtVal *out);

#endif
