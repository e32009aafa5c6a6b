/* Expressions of the typed tree: making them, walking them. All are in arena a. */
#ifndef MT_X_H
#define MT_X_H

#include "query/function.h"
#include "query/query.h"

MtX *mt_x_new (MtArena *a, MtXKind kind, MtType type, MtSpan span);
MtX *mt_x_const (MtArena *a, MtType type, MtVal v, MtSpan span);
MtX *mt_x_text (MtArena *a, const char *s, MtSpan span);
MtX *mt_x_null (MtArena *a, MtType type, MtSpan span);
/* A node with children; nullable follows from the kind and the children. */
MtX *mt_x_list (MtArena *a, MtXKind kind, MtType type, MtX **list, int count, MtSpan span);
MtX *mt_x_call (MtArena *a, const MtFunc *fn, MtType type, MtX **args, int argc, MtSpan span);
MtX *mt_x_not (MtArena *a, MtX *x);
MtX *mt_x_null_test (MtArena *a, MtX *x, MtSpan span);
/* Stands for several values: the arguments of an aggregate. Never computed by itself. */
extern const MtFunc mt_agg_row;
/* x AND y; either may be NULL. */
MtX *mt_x_both (MtArena *a, MtX *x, MtX *y);
/* Whether the times among them are MtX.finite. */
bool mt_x_all_finite (MtX *const *list, int count);
/* depth, nullable, is_volatile and finite again after children were replaced. */
void mt_x_update (MtX *x);
static inline bool mt_x_is_null_const (const MtX *x)
{
   return x->kind == MT_X_CONST && mt_is_nullish (x->value);
}
static inline bool mt_is_json (MtTypeId t) { return t == MT_T_JSONB || t == MT_T_DOCUMENT; }

bool mt_x_equal (const MtX *a, const MtX *b);

/* A copy of x in which each MT_X_COLUMN is what fn gives for it. In arena a; parts without columns
 * are shared. */
MtX *mt_x_map_columns (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *column),
                       void *ctx);
/* The same for MT_X_COLUMN and MT_X_OUTER. */
MtX *mt_x_map_leaves (MtArena *a, const MtX *x, MtX *(*fn) (void *ctx, const MtX *leaf), void *ctx);
/* A copy with `offset` added to each column's number. */
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
/* The walker over an expression: calls wanted for x and then for each node below it, in order.
 * Returns the first node for which wanted returns true. NULL: none. */
const MtX *mt_x_find (const MtX *x, bool (*wanted) (void *ctx, const MtX *x), void *ctx);
/* Returns the first MT_X_COLUMN of x. NULL: none. */
const MtX *mt_x_first_column (const MtX *x);
static inline bool mt_has_columns (const MtX *x) { return mt_x_first_column (x) != NULL; }
/* A copy in arena a with a list of children of its own, which may be replaced; mt_x_update
 * afterwards. */
MtX *mt_x_copy (MtArena *a, const MtX *x, MtX ***children, int *count);

#endif
