/* Translates typed SQL expressions to MongoDB's aggregation language. */
#ifndef MT_EMIT_H
#define MT_EMIT_H

#include "query/query.h"

/* Where a pipeline finds the value of a column, group key, aggregate or target: at a path in the
 * document, or by computing an expression. */
typedef struct MtPlace {
   /* The field path, "a.b" without '$'. NULL: the value is computed by `expr`, or the column lies
    * below the cut (the level at which the plan stops reading). */
   const char *path;
   /* {"": <aggregation expression>} that computes the value. NULL: the value is at `path`. */
   const bson_t *expr;
   /* The field may be missing, which means NULL. */
   bool may_be_missing;
   bool nullable;
   /* Converts an SQL constant to the encoded form that is stored at `path`, so that filters can use
    * indexes. Encoded forms sort like the values. *out is in arena a. *exact false: the constant
    * lies between two encoded forms, and *out is the lower one. NULL: values are stored as they
    * are. */
   bool (*encode) (const struct MtPlace *p, MtArena *a, MtVal constant, MtVal *out, bool *exact);
   /* Several stored numbers mean the same millisecond t: from encode (t) up to, but not including,
    * encode (t + 1). */
   bool several;
   const void *impl; /* private data of encode */
   /* $match can compare `path`: the path leads through no array. */
   bool can_match;
} MtPlace;

typedef struct MtEmit {
   MtArena *a;
   MtError *err; /* set by the functions that return false */
   const MtTextStyle *style;
   const MtPlace *columns; /* where columns are; indexed by MT_X_COLUMN.column */
   const MtPlace *keys;    /* where group keys are; indexed by MT_X_KEY.index */
   const MtPlace *aggs;    /* where aggregates are; indexed by MT_X_AGG.index */
   const MtPlace *targets; /* where select-list items are; indexed by MT_X_TARGET.index */
   bool lists;             /* the rows of a group may be collected in an array on the server */
   bool local_only; /* out: the expression uses an operator that only the local executor has */
} MtEmit;

/* Appends to `out`, under `key`, an aggregation expression that computes x. The expression yields
 * null, never a missing field, for NULL. Text that starts with "$" is wrapped in $literal. False:
 * e->err is set. */
bool mt_emit_value (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends an expression that is true if x is TRUE, and false if x is FALSE or NULL. This expression
 * is cheaper than the one that mt_emit_value appends. */
bool mt_emit_condition (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends the filter x as the fields of a $match. Simple comparisons become {path: {$op:
 * constant}}, which can use indexes. All others become {$expr: …}. */
bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match);

/* Like mt_emit_value, for an argument of an operator, where most constants need no $literal. */
bool mt_emit_x (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Returns whether a call needs mtsql's own operator because an argument may be an infinite time.
 * MongoDB's operators treat 'infinity' as an ordinary date. */
bool mt_only_by_operator (const MtX *call);

#endif
