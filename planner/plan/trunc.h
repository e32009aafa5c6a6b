/* $dateTrunc in other words, for servers that lack it or get it wrong. */
#ifndef MT_TRUNC_H
#define MT_TRUNC_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* If the server lacks $dateTrunc, rewrites it as date - (date - origin) mod width. This is done in
 * UTC, for units up to a week. Longer units, and other zones, keep $dateTrunc. Returns new stages
 * in arena a, or `stages`. */
bson_t *mt_trunc_by_modulo (MtArena *a, const MtCaps *caps, bson_t *stages);

#endif
