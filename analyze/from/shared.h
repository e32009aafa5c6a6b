/* Queries that are computed once and read in several places, and limits on repeated queries. */
#ifndef MT_SHARED_QUERY_H
#define MT_SHARED_QUERY_H

#include "analyze/state/cte.h"

/* Decides whether the rows of common table expression c are computed once. If so, *q becomes a
 * reading of them. `alone`: *q refers to no query around it. */
bool mt_share_cte (MtBinder *b, const MtCteBind *c, bool alone, MtQuery **q);
/* Returns a query that reads shared rows. */
MtQuery *mt_shared_reading (MtBinder *b, MtShared *s, MtSpan at);

/* The readings of one view. */
typedef struct MtViewRead MtViewRead;
/* Counts one more reading of a view. *read is a reading of shared rows, or NULL: then bind the
 * view's query, and call mt_share_view. */
MtViewRead *mt_view_read (MtBinder *b, const char *name, MtQuery **read);
bool mt_share_view (MtBinder *b, MtViewRead *v, MtQuery **q);

/* Makes a sub-select in FROM shared if it is large. Grouping sets read it several `times`. */
bool mt_share_from (MtBinder *b, MtRel *rel, int times);

/* Counts the queries in a copy of q. 54001: the statement has too many copies. */
bool mt_count_copies (MtBinder *b, const MtQuery *q, MtSpan span);
/* Counts one query more if it isn't in the statement's own text. 54001; 57014: cancelled. */
bool mt_count_query (MtBinder *b, MtSpan span);

#endif
