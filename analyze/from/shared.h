/* Shared queries: WITH entries, views and sub-selects that are computed once and read in several
 * places. Also limits the number of repeated queries. */
#ifndef MT_SHARED_QUERY_H
#define MT_SHARED_QUERY_H

#include "analyze/state/cte.h"

/* Decides whether WITH entry c is computed once for all its uses. If so, replaces its query *q by a
 * query that reads the shared rows. alone: *q refers to no enclosing query. */
bool mt_share_cte (MtBinder *b, const MtCteBind *c, bool alone, MtQuery **q);
/* Makes a query that reads the rows of shared query s (computed once, read in several places). */
MtQuery *mt_shared_reading (MtBinder *b, MtShared *s, MtSpan at);

/* How often the statement reads a view, and the view's shared query, if any. */
typedef struct MtViewRead MtViewRead;
/* Counts one more use of a view. *read is a query over the view's shared rows. *read NULL: the
 * caller must analyze the view's query and call mt_share_view. */
MtViewRead *mt_view_read (MtBinder *b, const char *name, MtQuery **read);
bool mt_share_view (MtBinder *b, MtViewRead *v, MtQuery **q);

/* Makes a sub-select in FROM a shared query if it is large. times: how often GROUPING SETS read
 * it. */
bool mt_share_from (MtBinder *b, MtRel *rel, int times);

/* Adds the queries in a copy of q to the statement's count. Fails with 54001 if there are too
 * many. */
bool mt_count_copies (MtBinder *b, const MtQuery *q, MtSpan span);
/* Counts a query that is not in the statement's own text, such as a view's. Fails with 54001 if
 * there are too many, and with 57014 if the statement was cancelled. */
bool mt_count_query (MtBinder *b, MtSpan span);

#endif
