/* What files that plan blocks share. */
#ifndef MT_PLAN_INT_H
#define MT_PLAN_INT_H

#include "planner/emit/emit.h"
#include "planner/plan/outline.h"
#include "engine/pipe.h"

/* The field of a block's target, "c<number>". In arena a. */
const char *mt_target_field (MtArena *a, int i);

/* The field that the block's projection gives to a key of ORDER BY. In arena a. */
const char *mt_sort_field (MtArena *a, const MtQuery *q, int key);
/* Leaves the first `count` targets only. */
void mt_keep_targets (MtPipe *pipe, int count);

/* Adds to pipe, whose rows emit knows the places of, what q does behind WHERE and GROUP BY; its
 * documents have a field for each visible target then. *outline (NULL: none is wanted): of what
 * pipe does so far, and afterwards of all of it. */
bool mt_end_block (MtArena *a, const MtQuery *q, MtEmit *emit, MtPipe *pipe, MtOutline **outline,
                   MtError *err);

/* Where NULL (and a number's NaN, greatest in PostgreSQL) must go beside MongoDB's order: a rank of
 * `value`, an expression, to sort by first; 0 for other values. NULL: no rank is needed. */
const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value);

/* In which direction it is sorted by: 1, or -1 where a rank can't be turned around. */
static inline int mt_rank_direction (const MtSortX *s)
{
   return s->descending && s->expr->type.id != MT_T_INTERVAL &&
                mt_type_order_has_rank (s->expr->type.id)
             ? -1
             : 1;
}

/* The stages that compute q's windows over documents with its sub-select's columns c0, c1 …; places
 * (by column of q->rel) are set. */
bool mt_window_emit (MtArena *a, const MtQuery *q, const MtTextStyle *style, MtPipe *pipe,
                     MtPlace *places, MtError *err);

#endif
