/* Translates the join stage $_mtJoin to $lookup, which servers can run. */
#ifndef MT_LOOKUP_H
#define MT_LOOKUP_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Returns whether the server can run the join as a $lookup. join: the body of $_mtJoin. Not
 * possible if the join keeps unmatched rows of the looked-up side, has a mark, or uses operators
 * that the server lacks. */
bool mt_lookup_can (MtArena *a, const MtCaps *caps, const bson_t *join);

/* Returns the stored field of the looked-up collection by which the server can find partners
 * through an index. NULL: the server can't. Borrowed from `join`, or in arena a. */
const char *mt_lookup_field (MtArena *a, const bson_t *join);

/* Appends $lookup, $unwind and $project for a join. field: the result of mt_lookup_field; NULL: the
 * server compares every pair of rows. */
void mt_lookup_emit (MtArena *a, const bson_t *join, const char *field, MtPipe *pipe);

#endif
