/* Conditions and wanted columns go to where the rows come from. */
#ifndef MT_PUSH_H
#define MT_PUSH_H

#include "query/query.h"

/* Moves conditions of WHERE and ON into the sub-selects and sides of joins that they are about,
 * makes tables of joins into blocks of their own that give only the columns that somebody wants,
 * and does the same below. Once a query, after folding; in arena a. */
void mt_push_query (MtArena *a, MtQuery *q);

#endif
