/* Functions in MongoDB's own operators, for servers. */
#ifndef MT_FUNCTION_WORDS_H
#define MT_FUNCTION_WORDS_H

#include "engine/pipe.h"

/* Returns an expression, in arena a, with the value of {$_mt_to_char: args}, for every time. NULL:
 * the zone isn't UTC, or the template has other fields than YYYY, MM, DD, HH24, MI, SS and MS. */
const bson_t *mt_to_char_words (MtArena *a, MtVal args);
/* Returns an expression, in arena a, with the value of {$_mt_regex: args} and {$_mt_not_regex: args}.
 * NULL: the pattern isn't a simple constant (mt_regex_simple of functions/text/pattern.h). */
const bson_t *mt_regex_words (MtArena *a, MtVal args);
const bson_t *mt_not_regex_words (MtArena *a, MtVal args);

#endif
