/* Regular expressions as mongod has them: PCRE2's, over texts that may not be valid UTF-8. */
#ifndef MT_REGEX_H
#define MT_REGEX_H

#include "base/pcre.h"
#include "engine/local/expr/op.h"

/* Compiles a pattern. False: *err says what is wrong with the pattern (2201B) or the options
 * (22023), and begins with `name`. */
bool mt_regex_new (MtPcre *out, const char *name, MtStr pattern, MtStr options, MtError *err);
/* Whether a result of base/pcre.h decides; *found: that there is a match. False: *err is set. */
bool mt_regex_ended (int rc, const char *name, bool *found, MtError *err);
bool mt_regex_test (MtPcre *p, const char *name, MtStr text, MtEval *ev, bool *found);

#endif
