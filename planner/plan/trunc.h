/* Rewrites $dateTrunc with other operators, for servers that lack it or compute it wrongly. */
#ifndef MT_TRUNC_H
#define MT_TRUNC_H

#include "engine/pipe.h"

/* Returns date - ((date - origin) mod width), which equals {$dateTrunc: args}, in arena a. NULL if
 * the unit is longer than a week, or the time zone is not UTC. */
const bson_t *mt_trunc_by_modulo (MtArena *a, MtVal args);

#endif
