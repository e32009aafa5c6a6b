/* Shared queries: the queries of WITH entries, views and sub-selects whose rows are computed once,
 * though several places of the statement read them. Also limits how many queries a statement may
 * have. */
#ifndef MT_SHARED_QUERY_H
#define MT_SHARED_QUERY_H

#include "analyze/state/cte.h"

/* Decides whether the rows of WITH entry c are computed once and shared by all its references. If
 * so, replaces *q, the entry's query, by a query that reads the shared rows. alone: *q does not
 * refer to enclosing queries. */
bool mt_share_cte (MtBinder *b, const MtCteBind *c, bool alone, MtQuery **q);
/* Makes a query that reads the rows of shared query s, which are computed once. */
MtQuery *mt_shared_reading (MtBinder *b, MtShared *s, MtSpan at);

/* A view that the statement reads: the number of references so far, and its shared query, if
 * any. */
typedef struct MtViewRead MtViewRead;
/* Counts one more reference to view `name`. If the view's rows are shared, sets *read to a query
 * that reads them. Otherwise sets *read to NULL. Then the caller analyzes the view's query, and
 * calls mt_share_view, which may share its rows. */
MtViewRead *mt_view_read (MtBinder *b, const char *name, MtQuery **read);
bool mt_share_view (MtBinder *b, MtViewRead *v, MtQuery **q);

/* Shares the rows of a sub-select in FROM if its query is large. times: how many grouping sets of
 * GROUPING SETS read it. */
bool mt_share_from (MtBinder *b, MtRel *rel, int times);

/* Adds the queries within q to the number of the statement's queries, since q is copied. Fails with
 * 54001 if the statement has too many. */
bool mt_count_copies (MtBinder *b, const MtQuery *q, MtSpan span);
/* Adds 1 to the number of the statement's queries, for a query that the statement does not contain
 * itself, such as a view's. Fails with 54001 if there are too many, and with 57014 if the statement
 * was cancelled. */
bool mt_count_query (MtBinder *b, MtSpan span);

#endif
