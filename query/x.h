/* Functions that make and visit typed expressions (MtX). New expressions are in arena a. */
#ifndef MT_X_H
#define MT_X_H

#include "query/function.h"
#include "query/query.h"

MtX *mt_x_new (MtArena *a, MtXKind kind, MtType type, MtSpan span);
MtX *mt_x_const (MtArena *a, MtType type, MtVal v, MtSpan span);
MtX *mt_x_text (MtArena *a, const char *s, MtSpan span);
MtX *mt_x_null (MtArena *a, MtType type, MtSpan span);
/* Makes a node with children. Its properties, such as nullable, are computed from its kind and its
 * children. */
MtX *mt_x_list (MtArena *a, MtXKind kind, MtType type, MtX **list, int count, MtSpan span);
MtX *mt_x_call (MtArena *a, const MtFunc *fn, MtType type, MtX **args, int argc, MtSpan span);
MtX *mt_x_not (MtArena *a, MtX *x);
MtX *mt_x_null_test (MtArena *a, MtX *x, MtSpan span);
/* A pseudo-function: a call of mt_agg_row packs the arguments of an aggregate into one expression.
 * It is never computed. */
extern const MtFunc mt_agg_row;
/* Returns the expression x AND y. If one is NULL, returns the other. */
MtX *mt_x_both (MtArena *a, MtX *x, MtX *y);
/* Returns whether no expression in the list can be an infinite time (MtX.finite). */
bool mt_x_all_finite (MtX *const *list, int count);
/* Recomputes the depth, size, nullable, is_volatile and finite of x. Call it after children were
 * replaced. */
void mt_x_update (MtX *x);
static inline bool mt_x_is_null_const (const MtX *x)
{
   return x->kind == MT_X_CONST && mt_is_nullish (x->value);
}
static inline bool mt_is_json (MtTypeId t) { return t == MT_T_JSONB || t == MT_T_DOCUMENT; }

bool mt_x_equal (const MtX *a, const MtX *b);

/* Returns a copy of x, in arena a, with each MT_X_COLUMN replaced by the result of fn.
 * Sub-expressions without columns are shared. */
MtX *mt_x_map_columns (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *column),
                       void *ctx);
/* Returns a copy of x, in arena a, with each MT_X_COLUMN and MT_X_OUTER replaced by the result of
 * fn. Sub-expressions without these nodes are shared. */
MtX *mt_x_map_leaves (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *leaf), void *ctx);
/* Returns a copy of x with `offset` added to the number of each column. */
MtX *mt_x_shift (MtArena *a, const MtX *x, int offset);
/* Calls fn with the number of each MT_X_COLUMN in x. */
void mt_x_each_column (const MtX *x, void (*fn) (void *ctx, int column), void *ctx);
/* Sets used[n] to true for each column number n in x. */
void mt_x_mark_columns (const MtX *x, bool *used);
/* Returns the array of a node's children, and sets *count. NULL: it has none. */
MtX **mt_x_children (MtX *x, int *count);
static inline MtX *const *mt_x_kids (const MtX *x, int *count)
{
   return mt_x_children ((MtX *) x, count);
}
/* Returns the first node in x, parents before children, for which `wanted` returns true. NULL:
 * there is none. */
const MtX *mt_x_find (const MtX *x, bool (*wanted) (void *ctx, const MtX *x), void *ctx);
/* Returns the first MT_X_COLUMN in x. NULL: there is none. */
const MtX *mt_x_first_column (const MtX *x);
/* Returns the expression of sort key s of q; if s refers to a target (MT_X_TARGET), the target's
 * expression. */
const MtX *mt_sort_expr (const MtQuery *q, const MtSortX *s);
static inline bool mt_has_columns (const MtX *x) { return mt_x_first_column (x) != NULL; }
/* Returns a copy of x, in arena a, with its own array of children, to which *children is set. The
 * caller may replace children, and must then call mt_x_update. */
MtX *mt_x_copy (MtArena *a, const MtX *x, MtX ***children, int *count);

#endif
