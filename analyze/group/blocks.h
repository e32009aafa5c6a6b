/* Rewrites of an analyzed query block: grouping, window calls, set-returning functions, gap
 * filling. The functions must be called in the order: mt_expand_keys, mt_group_query,
 * mt_gapfill_query, mt_split_sets, mt_window_query, mt_qualify_query, mt_expand_query. */
#ifndef MT_BLOCKS_H
#define MT_BLOCKS_H

#include "analyze/group/sets.h"

/* Analyzes the clause SAMPLE BY of `select`, instead of mt_bind_group_by. Sets the keys, WHERE,
 * HAVING, ORDER BY and q->gapfill of q, and changes its select list. Fails with 42703 if FROM has
 * no TIME column, and with 42702 if it has several. */
bool mt_sample_query (MtBinder *b, MtScope *scope, const MtSelect *select, MtQuery *q,
                      MtGroupSets *sets);
/* Moves set-returning functions in the GROUP BY keys of q to its FROM. */
bool mt_expand_keys (MtBinder *b, MtQuery *q);
/* If q has GROUP BY or aggregates, rewrites its select list, HAVING and ORDER BY so that they refer
 * to keys and aggregates instead of columns. Fails with 42803 if one of them uses a column that is
 * neither grouped nor aggregated. */
bool mt_group_query (MtBinder *b, MtScope *s, MtGroupSets *sets, MtQuery *q);
/* Adds the correlated sub-selects that are arguments of locf and interpolate to the keys of q. So
 * they are joined before the grouping. Fails with 42803 if such a sub-select refers to anything but
 * the other keys, without the time key. Call it before mt_pending_below. */
bool mt_gapfill_lookups (MtBinder *b, const MtScope *s, MtQuery *q, MtGroupSets *sets);
/* Converts the key time_bucket_gapfill of q to time_bucket, and sets q->gapfill, unless
 * mt_sample_query has set it. Fails with 0A000 if time_bucket_gapfill, locf or interpolate is used
 * where it is not supported. */
bool mt_gapfill_query (MtBinder *b, MtQuery *q, bool has_sets);
/* If q has window calls, moves FROM, WHERE, GROUP BY and HAVING of q into a sub-select. q then
 * computes the window calls over the sub-select's rows. */
bool mt_window_query (MtBinder *b, MtQuery *q);
/* Applies QUALIFY, whose condition is the last item of q's select list. Moves q into a sub-select
 * that computes the window calls; the condition becomes the WHERE of q. */
bool mt_qualify_query (MtBinder *b, MtQuery *q);
/* Moves FROM, WHERE, GROUP BY and HAVING of q into a sub-select. Rewrites the `count` expressions
 * of `list` and those of q to refer to the columns of the sub-select. Window calls stay in q. */
bool mt_lower_query (MtBinder *b, MtQuery *q, MtX **list, int count);
/* Clears FROM's conditions, GROUP BY, HAVING … of q after they were copied into a sub-select. */
void mt_clear_lower (MtQuery *q);
/* If the select list or ORDER BY of q has set-returning functions, moves q into a sub-select, and
 * adds the functions to the FROM of the outer query. */
bool mt_expand_query (MtBinder *b, MtQuery *q);

#endif
