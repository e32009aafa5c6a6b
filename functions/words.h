/* Functions written with MongoDB's own operators only, so that servers can compute them. */
#ifndef MT_FUNCTION_WORDS_H
#define MT_FUNCTION_WORDS_H

#include "engine/pipe.h"

/* Returns an expression, allocated in arena a, with the value of {$_mt_to_char: args} for every
 * time. NULL: the zone isn't UTC, or the template has other fields than YYYY, MM, DD, HH24, MI, SS
 * and MS. */
const bson_t *mt_to_char_words (MtArena *a, MtVal args);
/* Return an expression, in arena a, with the value of {$_mt_regex: args}, {$_mt_iregex: args} and
 * their negations. NULL: the pattern isn't a simple constant (mt_regex_simple of
 * functions/text/pattern.h). */
const bson_t *mt_regex_words (MtArena *a, MtVal args);
const bson_t *mt_not_regex_words (MtArena *a, MtVal args);
const bson_t *mt_iregex_words (MtArena *a, MtVal args);
const bson_t *mt_not_iregex_words (MtArena *a, MtVal args);
/* Returns an expression, in arena a, for $_mtGapfill with ten arguments, which are plain values.
 * The rows are those of the field `rows`, {t: time, v: fields} in any order, and no time is NULL.
 * No values lie before the first row. NULL: the buckets are more than 1,000, or the times no
 * dates, or a field is filled in another way than by locf or by interpolation of doubles. */
const bson_t *mt_gapfill_words (MtArena *a, const MtVal *args);

#endif
