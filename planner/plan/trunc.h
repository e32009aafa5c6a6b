/* $dateTrunc in other words, for servers that lack it or get it wrong. */
#ifndef MT_TRUNC_H
#define MT_TRUNC_H

#include "engine/pipe.h"

/* Returns {$dateTrunc: args} as date - (date - origin) mod width, in arena a. This is done in UTC,
 * for units up to a week. NULL: the unit is longer, or the zone is another. */
const bson_t *mt_trunc_by_modulo (MtArena *a, MtVal args);

#endif
