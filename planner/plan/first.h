/* DISTINCT ON: the first row of each key. */
#ifndef MT_FIRST_H
#define MT_FIRST_H

#include "engine/pipe.h"
#include "query/query.h"

/* Appends stages that keep, for each value of the DISTINCT ON keys, the first row by ORDER BY. The
 * result is not sorted. ranks: fields n0, n1 … by which NULLs are sorted first or last. */
void mt_first_rows (const MtQuery *q, const bson_t *ranks, MtPipe *pipe);

#endif
