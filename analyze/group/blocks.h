/* Transformations of a bound block: grouping, window calls, set-returning functions, gaps. The
 * caller's order is: mt_expand_keys, mt_group_query, mt_gapfill_query, mt_split_sets,
 * mt_window_query, mt_expand_query. */
#ifndef MT_BLOCKS_H
#define MT_BLOCKS_H

#include "analyze/group/sets.h"

/* Moves set-returning functions among the keys of GROUP BY into FROM. */
bool mt_expand_keys (MtBinder *b, MtQuery *q);
/* Groups the block if it has keys, aggregates or HAVING: expressions above the grouping refer to
 * keys and aggregates. 42803: a column is left that is neither. */
bool mt_group_query (MtBinder *b, MtScope *s, MtGroupSets *sets, MtQuery *q);
/* Sets q->gapfill. 0A000: time_bucket_gapfill, locf or interpolate stands in the wrong place. */
bool mt_gapfill_query (MtBinder *b, MtQuery *q, bool has_sets);
/* Makes the block up to HAVING a sub-select of itself, below its window calls. Does nothing without
 * window calls. */
bool mt_window_query (MtBinder *b, MtQuery *q);
/* The same without window calls, which stay as they are. Also replaces the expressions of `list` by
 * ones over the sub-select's columns. */
bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count);
/* Removes all of a block up to HAVING, except FROM and window calls. An inner block has these. */
void mt_clear_lower (MtQuery *q);
/* Moves set-returning functions among the results into FROM, over a sub-select. */
bool mt_expand_query (MtBinder *b, MtQuery *q);

#endif
