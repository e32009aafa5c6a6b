/* Declarations shared by the files of planner/plan. */
#ifndef MT_PLAN_INT_H
#define MT_PLAN_INT_H

#include "planner/emit/emit.h"
#include "planner/plan/outline.h"
#include "engine/pipe.h"

/* Returns the document field of select-list item i: "c<i>". In arena a. */
const char *mt_target_field (MtArena *a, int i);

/* Returns the document field that holds an ORDER BY key after the block's $project. In arena a. */
const char *mt_sort_field (MtArena *a, const MtQuery *q, int key);
/* Appends a $project that keeps only the first `count` select-list items. */
void mt_keep_targets (MtPipe *pipe, int count);

/* Appends the stages of q after WHERE and GROUP BY: select list, DISTINCT, ORDER BY, LIMIT. emit:
 * the places of columns, keys and aggregates in pipe. *outline: in, the last EXPLAIN step so far;
 * out, the last step of q. outline NULL: no EXPLAIN. */
bool mt_end_block (MtArena *a, const MtQuery *q, MtEmit *emit, MtPipe *pipe, MtOutline **outline,
                   MtError *err);

/* Returns an expression to sort by before `value`, so that NULL and NaN sort as in PostgreSQL. The
 * expression is 0 for other values. NULL: MongoDB already sorts correctly. */
const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value);

/* Returns the $sort direction, 1 or -1, for the expression of mt_sort_rank. */
static inline int mt_rank_direction (const MtSortX *s)
{
   return s->descending && s->expr->type.id != MT_T_INTERVAL &&
                mt_type_order_has_rank (s->expr->type.id)
             ? -1
             : 1;
}

/* Appends the stages that compute q's window functions over documents with fields c0, c1 … Sets
 * places, where each column of q->rel is found afterwards. */
bool mt_window_emit (MtArena *a, const MtQuery *q, const MtPlanSettings *settings, MtPipe *pipe,
                     MtPlace *places, MtError *err);

#endif
