/* Reads the rows of a block from its columns instead of its documents. Tests the conditions of
 * $match stages at the beginning on the columns. */
#ifndef MT_COLUMN_SCAN_H
#define MT_COLUMN_SCAN_H

#include "engine/local/expr/core.h"

/* Plans how a linked pipeline reads columns. NULL: it needs documents. */
const MtColumnPlan *mt_columns_plan (MtCompile *c);
/* Returns the number of the plan's field that fills a slot, or -1. */
int mt_columns_field (const MtColumnPlan *p, uint32_t slot);
/* Sets *out to the range of the plan's field number `field` over a block. Returns false if it is
 * unknown. */
bool mt_columns_parts (const MtExec *x, size_t block, uint32_t field, MtRangeParts *out);
/* Returns whether no row of a block matches, as the ranges of its columns show. */
bool mt_columns_none (const MtExec *x, size_t block);
/* Begins to read the block that w->reader reads. hits: the only documents that are wanted; NULL:
 * all. *yes is set if the block has all needed columns, else the documents must be read. Fails with
 * XX001 if a column is damaged. */
bool mt_columns_open (MtWork *w, const MtBlockScan *hits, bool *yes);
/* Pushes up to `most` rows of the block to the first nodes, or more to a $group that takes columns.
 * *over is set behind the last row. */
MtFlow mt_columns_push (MtWork *w, size_t most, bool *over);

#endif
