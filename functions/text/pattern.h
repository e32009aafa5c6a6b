/* LIKE patterns and regular expressions, for use outside functions/text. */
#ifndef MT_FN_PATTERN_H
#define MT_FN_PATTERN_H

#include "engine/local/expr/op.h"

/* Translates a LIKE pattern to a regular expression, in arena a: "^…\\z", or "^…" if the pattern
 * ends in %. *exact: the pattern has no wildcard, and *out is the text itself. False: the
 * pattern ends in its escape character. */
bool mt_like_regex (MtArena *a, MtStr pattern, MtStr escape, bool ignore_case, const char **out,
                    bool *exact);

/* SQL's regexp_like. a: text, pattern, flags. */
bool mt_regexp_like (MtEval *ev, const MtVal a[3], MtVal *out);

#endif
