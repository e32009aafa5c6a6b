/* $_mtAvg in MongoDB's own operators. */
#ifndef MT_AVERAGE_H
#define MT_AVERAGE_H

#include "engine/pipe.h"

/* Returns an expression with the value of {$_mtAvg: args}, for the types "integer" and "decimal",
 * and up to 10^12 values. NULL: the arguments are others. */
const bson_t *mt_average_words (MtArena *a, MtVal args);

#endif
