/* Regular expressions as in mongod: PCRE2 patterns on texts that may not be valid UTF-8. */
#ifndef MT_REGEX_H
#define MT_REGEX_H

#include "base/pcre.h"
#include "engine/local/expr/op.h"

/* Compiles a pattern. Fails with 2201B if the pattern is invalid, and with 22023 if the options
 * are. name: the beginning of the message. */
bool mt_regex_new (MtPcre *out, const char *name, MtStr pattern, MtStr options, MtError *err);
/* Evaluates the result code `rc` of a search (base/pcre.h). Sets *found if there is a match.
 * Returns false with *err set if the search failed. name: the beginning of the message. */
bool mt_regex_ended (int rc, const char *name, bool *found, MtError *err);
bool mt_regex_test (MtPcre *p, const char *name, MtStr text, MtEval *ev, bool *found);

#endif
