/* Declarations shared by the files of planner/plan. */
#ifndef MT_PLAN_INT_H
#define MT_PLAN_INT_H

#include "planner/emit/emit.h"
#include "planner/plan/outline.h"
#include "engine/pipe.h"

/* Returns the name of the field for select-list item i, "c<i>", in arena a. */
const char *mt_target_field (MtArena *a, int i);

/* Returns the name of the field that has ORDER BY key number `key` after the block's $project. In
 * arena a. */
const char *mt_sort_field (MtArena *a, const MtQuery *q, int key);
/* Appends a $project that keeps only the first `count` select-list items. */
void mt_keep_targets (MtPipe *pipe, int count);

/* Appends the stages of q after WHERE and GROUP BY: select list, DISTINCT, ORDER BY, LIMIT. emit
 * has the places of columns, keys and aggregates. *outline is the last EXPLAIN step so far, and is
 * set to the last step of q; outline NULL: no EXPLAIN. */
bool mt_end_block (MtArena *a, const MtQuery *q, MtEmit *emit, MtPipe *pipe, MtOutline **outline,
                   MtError *err);

/* Returns an expression that must be a sort key before `value`, so that NULL and NaN are sorted as
 * in PostgreSQL; it is 0 for other values. NULL: MongoDB sorts them correctly. */
const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value);

/* Returns the direction in $sort, 1 or -1, of the sort key that mt_sort_rank returns. */
static inline int mt_rank_direction (const MtSortX *s)
{
   return s->descending && s->expr->type.id != MT_T_INTERVAL &&
                mt_type_order_has_rank (s->expr->type.id)
             ? -1
             : 1;
}

/* Appends the stages that compute q's window functions over documents with the fields c0, c1 ….
 * Sets places[i] to where column i of q->rel is then found. */
bool mt_window_emit (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPipe *pipe,
                     MtPlace *places, MtError *err);

#endif
