/* DISTINCT ON: the first row of each key. */
#ifndef MT_FIRST_H
#define MT_FIRST_H

#include "engine/pipe.h"
#include "query/query.h"

/* Keeps one projected row for each value of the first q->on_count keys: the first in the order
 * of the other keys. The result has no order. ranks: fields n0, n1 … by which rows are sorted
 * before the key of that number, for NULLs. */
void mt_first_rows (const MtQuery *q, const bson_t *ranks, MtPipe *pipe);

#endif
