/* Comparisons that servers must not answer from an index. */
#ifndef MT_WHOLE_ORDER_H
#define MT_WHOLE_ORDER_H

#include "engine/pipe.h"

/* Rewrites {$expr: {$gt: ["$field", constant]}}, and likewise $gte, $lt and $lte, to {$expr: {$or:
 * [{$gt: …}]}}. Such a comparison orders values of all types. DocumentDB finds only values of the
 * constant's type if an index has the field. Returns new stages in arena a, or `stages`. */
bson_t *mt_whole_order (MtArena *a, bson_t *stages);

#endif
