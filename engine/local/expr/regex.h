/* mongod's regular expressions: PCRE2's, over texts that may not be valid UTF-8. */
#ifndef MT_REGEX_H
#define MT_REGEX_H

#include "base/pcre.h"
#include "engine/local/expr/op.h"

/* Compiles a pattern. 2201B for a wrong pattern, 22023 for wrong options; the message begins with
 * `name`. */
bool mt_regex_new (MtPcre *out, const char *name, MtStr pattern, MtStr options, MtError *err);
/* Interprets a result of base/pcre.h. *found: there is a match. Returns false with *err set for an
 * error. */
bool mt_regex_ended (int rc, const char *name, bool *found, MtError *err);
bool mt_regex_test (MtPcre *p, const char *name, MtStr text, MtEval *ev, bool *found);

#endif
