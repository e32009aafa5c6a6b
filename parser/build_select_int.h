/* The builders of the clauses of SELECT, except FROM (build_select.c). */
#ifndef MT_BUILD_SELECT_INT_H
#define MT_BUILD_SELECT_INT_H

#include "parser/build_int.h"

/* Builds the target of SELECT … INTO. It is kept in MtSelect.into until the whole statement is
 * built. */
MtInto *mt_b_into (MtParser *p, MtToken t, MtQualified name);
MtSelectHead mt_b_select_head (MtToken t, MtDistinct d, MtTargets targets, MtInto *into,
                               MtFroms from);
/* Builds the head of a query that is only FROM …, and selects all columns. */
MtSelectHead mt_b_select_all (MtParser *p, MtFromFirst f, MtInto *into);
/* Builds the head of a query of the form FROM … SELECT …. */
MtSelectHead mt_b_select_behind (MtFromFirst f, MtToken t, MtDistinct d, MtTargets targets,
                                 MtInto *into);
MtSelect *mt_b_select (MtParser *p, MtSelectHead head, MtExpr *where, MtGroups g, MtExpr *having,
                       MtWindows windows);
/* Builds a SELECT with SAMPLE BY in place of GROUP BY. */
MtSelect *mt_b_sampled (MtParser *p, MtSelectHead head, MtExpr *where, MtSampleBy *sample,
                        MtExpr *having, MtWindows windows);
/* Adds LATEST ON to s. */
MtSelect *mt_b_latest_of (MtParser *p, MtSelect *s, MtLatest *latest);
/* Adds QUALIFY to s. e NULL: there is none. */
MtSelect *mt_b_qualify (MtParser *p, MtSelect *s, MtExpr *e);
MtSelect *mt_b_select_table (MtParser *p, MtToken t, MtFrom *table);
MtSelect *mt_b_select_tail (MtParser *p, MtSelect *s, const MtWith *with, const MtOrders *order,
                            const MtLimit *limit, const MtLocking *locking);
MtSelect *mt_b_operand_select (MtParser *p, MtSubselect s);
MtSubselect mt_b_paren_select (MtParser *p, MtToken l, MtSelect *s, MtToken r);
/* Builds SELECT * FROM f, where f is a table, a file or a function without an alias. */
MtSelect *mt_b_select_from (MtParser *p, MtFrom *f);
/* Builds SUMMARIZE, DESCRIBE or SHOW TABLES as a query. query: the query or table to summarize or
 * describe; NULL for SHOW TABLES. */
MtSelect *mt_b_summary (MtParser *p, MtSummary what, MtToken t, MtSelect *query, MtSpan end);
MtSelect *mt_b_setop (MtParser *p, MtSetOp op, MtSelect *left, MtToken all, MtSelect *right);
MtSelect *mt_b_values (MtParser *p, MtToken t, MtRowList *row);
void mt_b_values_more (MtParser *p, MtSelect *values, MtRowList *row);
MtRowList *mt_b_row_values (MtParser *p, MtToken l, MtExprs e, MtToken r);
MtDistinct mt_b_distinct_on (MtExprs e);
MtWith mt_b_with (MtToken t, MtWith ctes, bool recursive);
MtWith mt_b_ctes (MtCte *c);
MtCte *mt_b_cte (MtParser *p, MtToken name, MtNames columns, int materialized, MtStmt *s);
MtTargets mt_b_targets (MtTarget *t);
MtTarget *mt_b_target (MtParser *p, MtExpr *e, MtToken alias);
MtStarItem *mt_b_star_item (MtParser *p, MtStarChange kind, MtQualified column);
MtStarItem *mt_b_star_replaced (MtParser *p, MtExpr *e, MtToken column);
MtStarItem *mt_b_star_renamed (MtParser *p, MtQualified column, MtToken as);
MtStarChanges mt_b_star_items (MtStarItem *i);
/* Sets the position of changes in parentheses, such as * EXCLUDE (a, b): from `word`, their
 * keyword, to `end`, the parenthesis. */
MtStarChanges mt_b_star_ends (MtStarChanges c, MtToken word, MtToken end);
/* Builds the changes of a star from one item without parentheses, as in * EXCLUDE a. word: the
 * keyword EXCLUDE, REPLACE or RENAME. */
MtStarChanges mt_b_star_single (MtToken word, MtStarItem *i);
MtStarChanges mt_b_star_both (MtParser *p, MtStarChanges a, MtStarChanges b);
/* Adds the changes EXCLUDE, REPLACE and RENAME to e, which must be a star such as * or t.*; 42601
 * if it is not. */
MtExpr *mt_b_star_changed (MtParser *p, MtExpr *e, MtStarChanges c);
MtGroups mt_b_groups (MtGroupItem *g);
MtGroups mt_b_group_distinct (MtGroups g);
MtGroups mt_b_group_exprs (MtParser *p, MtExprs e);
MtGroupItem *mt_b_group_expr (MtParser *p, MtExpr *e);
MtGroupItem *mt_b_group (MtParser *p, MtGroupKind kind, MtToken t, MtGroups items, MtToken end);
MtWindows mt_b_windows (MtWindow *w);
MtOrders mt_b_orders (MtOrderItem *o);
MtOrderItem *mt_b_order (MtParser *p, MtExpr *e, MtToken using_op, bool descending, int nulls);
MtOrderItem *mt_b_order_all (MtParser *p, MtToken t, bool descending, int nulls);
MtLimit mt_b_limit (MtToken t, MtExpr *e, MtSpan end, bool ties);
MtLimit mt_b_limit_comma (MtParser *p, MtToken t, MtExpr *e);
MtLimit mt_b_fetch (MtParser *p, MtToken t, MtExpr *e, MtToken end);
MtLimit mt_b_offset (MtToken t, MtExpr *e, MtSpan end);
MtLimit mt_b_limit_both (MtLimit a, MtLimit b);
MtLocking mt_b_locking (MtParser *p, MtToken t, const char *strength, MtLockWait wait);

/* ---- WINDOW JOIN ---- */

MtFrom *mt_b_join_window (MtParser *p, MtFrom *left, MtFrom *right, MtJoinQual q,
                          MtJoinRange *range);
/* Builds the RANGE clause of a WINDOW JOIN. `prevailing` has the words INCLUDE or EXCLUDE
 * PREVAILING as `exclude`, and their span. */
MtJoinRange *mt_b_join_range (MtParser *p, MtToken t, MtJoinBound from, MtJoinBound to,
                              MtJoinRange prevailing);
MtJoinBound mt_b_join_bound (MtExpr *width, bool following, MtToken end);

/* ---- SAMPLE BY and LATEST ON (build_sample.c) ---- */
/* Builds an interval literal from a number and a unit's name, such as 1 minute. */
MtExpr *mt_b_width_words (MtParser *p, MtToken number, MtToken unit);
MtSampleBy *mt_b_sample (MtParser *p, MtToken t, MtExpr *width, MtSampleRange range,
                         MtSampleFills fills, MtSampleAlign align);
/* Builds the interval literal for a width such as 5m. 42601 if its unit is unknown. */
MtExpr *mt_b_width (MtParser *p, MtToken t);
/* Builds the interval literal for a width that is a string. */
MtExpr *mt_b_width_text (MtParser *p, MtToken t);
MtSampleFill *mt_b_fill (MtParser *p, MtSampleFillKind kind, MtSpan span, MtExpr *value);
MtSampleFills mt_b_fills (MtSampleFill *f);
MtSampleFills mt_b_fills_end (MtSampleFills f, MtToken end);
/* Builds ALIGN TO CALENDAR. If zone or offset is not given, its token has no text. */
MtSampleAlign mt_b_align (MtParser *p, MtToken t, MtToken zone, MtToken offset);
MtSampleAlign mt_b_align_first (MtToken t);
MtLatest *mt_b_latest (MtParser *p, MtToken t, MtExpr *time, MtExprs keys);

#endif
