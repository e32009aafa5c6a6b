/* Functions that make and traverse typed expressions (MtX). New expressions are in arena a. */
#ifndef MT_X_H
#define MT_X_H

#include "query/function.h"
#include "query/query.h"

MtX *mt_x_new (MtArena *a, MtXKind kind, MtType type, MtSpan span);
MtX *mt_x_const (MtArena *a, MtType type, MtVal v, MtSpan span);
MtX *mt_x_text (MtArena *a, const char *s, MtSpan span);
MtX *mt_x_null (MtArena *a, MtType type, MtSpan span);
/* Makes a node with children. Its properties (nullable …) follow from the kind and the children. */
MtX *mt_x_list (MtArena *a, MtXKind kind, MtType type, MtX **list, int count, MtSpan span);
MtX *mt_x_call (MtArena *a, const MtFunc *fn, MtType type, MtX **args, int argc, MtSpan span);
MtX *mt_x_not (MtArena *a, MtX *x);
MtX *mt_x_null_test (MtArena *a, MtX *x, MtSpan span);
/* A pseudo-function: a call of mt_agg_row packs several arguments of an aggregate in one
 * expression. It is never computed. */
extern const MtFunc mt_agg_row;
/* Returns x AND y. Either may be NULL. */
MtX *mt_x_both (MtArena *a, MtX *x, MtX *y);
/* Returns whether all expressions of a list are known to be finite times (MtX.finite). */
bool mt_x_all_finite (MtX *const *list, int count);
/* Recomputes x's depth, size, nullable, is_volatile and finite. Call it after replacing
 * children. */
void mt_x_update (MtX *x);
static inline bool mt_x_is_null_const (const MtX *x)
{
   return x->kind == MT_X_CONST && mt_is_nullish (x->value);
}
static inline bool mt_is_json (MtTypeId t) { return t == MT_T_JSONB || t == MT_T_DOCUMENT; }

bool mt_x_equal (const MtX *a, const MtX *b);

/* Returns a copy of x, in arena a, with fn's result for each MT_X_COLUMN. Parts without columns are
 * shared. */
MtX *mt_x_map_columns (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *column),
                       void *ctx);
/* Returns a copy of x, in arena a, with fn's result for each MT_X_COLUMN and MT_X_OUTER. Parts
 * without these nodes are shared. */
MtX *mt_x_map_leaves (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *leaf), void *ctx);
/* Returns a copy with `offset` added to each column's number. */
MtX *mt_x_shift (MtArena *a, const MtX *x, int offset);
/* Calls fn for each MT_X_COLUMN of x. */
void mt_x_each_column (const MtX *x, void (*fn) (void *ctx, int column), void *ctx);
/* Sets used[n] for each MT_X_COLUMN n of x. */
void mt_x_mark_columns (const MtX *x, bool *used);
/* Returns the children of a node. NULL: it has none. */
MtX **mt_x_children (MtX *x, int *count);
static inline MtX *const *mt_x_kids (const MtX *x, int *count)
{
   return mt_x_children ((MtX *) x, count);
}
/* Returns the first node, x or a node below it, for which `wanted` returns true. Parents are
 * visited before children. NULL: none. */
const MtX *mt_x_find (const MtX *x, bool (*wanted) (void *ctx, const MtX *x), void *ctx);
/* Returns the first MT_X_COLUMN of x. NULL: none. */
const MtX *mt_x_first_column (const MtX *x);
/* Returns the expression by which key s of q sorts: that of the target, if s names one. */
const MtX *mt_sort_expr (const MtQuery *q, const MtSortX *s);
static inline bool mt_has_columns (const MtX *x) { return mt_x_first_column (x) != NULL; }
/* Returns a copy of x, in arena a, with its own list of children. The caller may replace children,
 * and must then call mt_x_update. */
MtX *mt_x_copy (MtArena *a, const MtX *x, MtX ***children, int *count);

#endif
