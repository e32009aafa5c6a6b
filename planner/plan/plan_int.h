/* Declarations that the files of this room share. */
#ifndef MT_PLAN_INT_H
#define MT_PLAN_INT_H

#include "planner/emit/emit.h"
#include "planner/plan/outline.h"
#include "engine/pipe.h"

/* The field of a block's target: "c<number>". In arena a. */
const char *mt_target_field (MtArena *a, int i);

/* The field of a key of ORDER BY in the block's projection. In arena a. */
const char *mt_sort_field (MtArena *a, const MtQuery *q, int key);
/* Keeps the first `count` targets only. */
void mt_keep_targets (MtPipe *pipe, int count);

/* Adds the stages of q after WHERE and GROUP BY. emit has the places of the rows in pipe.
 * Afterwards each visible target is a field. *outline: the step of the stages so far, replaced
 * by the step of all. NULL: no outline is wanted. */
bool mt_end_block (MtArena *a, const MtQuery *q, MtEmit *emit, MtPipe *pipe, MtOutline **outline,
                   MtError *err);

/* A rank by which rows are sorted before `value`. It moves NULLs, and NaN, to where PostgreSQL
 * has them; all other values have rank 0. NULL: MongoDB's order is right. */
const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value);

/* The direction in which the rank is sorted: -1 for descending ranks that can't be negated,
 * otherwise 1. */
static inline int mt_rank_direction (const MtSortX *s)
{
   return s->descending && s->expr->type.id != MT_T_INTERVAL &&
                mt_type_order_has_rank (s->expr->type.id)
             ? -1
             : 1;
}

/* Adds the stages that compute q's windows. The documents in pipe have the columns c0, c1 … of
 * q's sub-select. Sets places, by column of q->rel. */
bool mt_window_emit (MtArena *a, const MtQuery *q, const MtTextStyle *style, MtPipe *pipe,
                     MtPlace *places, MtError *err);

#endif
