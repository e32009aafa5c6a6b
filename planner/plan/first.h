/* DISTINCT ON: the first row of each key. */
#ifndef MT_FIRST_H
#define MT_FIRST_H

#include "engine/pipe.h"
#include "query/query.h"

/* Of the projected rows, for each value of the first q->on_count keys the first row in the order of
 * the others; in no order. ranks: fields n0, n1 … to sort by before the key of that number (where
 * NULLs go). */
void mt_first_rows (const MtQuery *q, const bson_t *ranks, MtPipe *pipe);

#endif
