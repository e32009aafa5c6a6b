/* Protects comparisons that servers must not answer from an index. */
#ifndef MT_WHOLE_ORDER_H
#define MT_WHOLE_ORDER_H

#include "engine/pipe.h"

/* Rewrites {$expr: {$gt: ["$field", constant]}} to {$expr: {$or: [{$gt: …}]}}, and likewise $gte,
 * $lt and $lte. In $expr such a comparison compares values of all types; but DocumentDB finds only
 * values of the constant's type if the field has an index. Returns new stages in arena a, or
 * `stages`. */
bson_t *mt_whole_order (MtArena *a, bson_t *stages);

#endif
