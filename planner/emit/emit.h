/* Translates typed SQL expressions to MongoDB's aggregation language. */
#ifndef MT_EMIT_H
#define MT_EMIT_H

#include "query/query.h"

/* Where a pipeline's documents have the value of a column, group key, aggregate or select-list
 * item: at a path, or computed by an expression. */
typedef struct MtPlace {
   /* The field path, such as "a.b", without '$'. NULL: the value is computed by `expr`; or, if that
    * is NULL, too, it is not available at the cut (the level at which the plan stops reading). */
   const char *path;
   /* The aggregation expression {"": …} that computes the value. NULL: the value is at `path`. */
   const bson_t *expr;
   /* A missing field is possible, and means NULL. */
   bool may_be_missing;
   bool nullable;
   /* Callback: encodes an SQL constant in the form that is stored at `path`, so that a filter can
    * use an index. Encoded forms sort like the values. *out is in arena a. *exact false: the
    * constant has no exact encoded form, and *out is the nearest lower one. NULL: values are stored
    * as they are. */
   bool (*encode) (const struct MtPlace *p, MtArena *a, MtVal constant, MtVal *out, bool *exact);
   /* The same millisecond t can be stored as several numbers: from encode (t) to before encode (t +
    * 1). */
   bool several;
   const void *impl; /* private data of `encode` */
   /* $match can compare the value at `path`, because the path does not lead through an array. */
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
   bool lists;             /* a group's rows may be collected in an array on the server */
   bool local_only; /* output: the expression uses an operator that only the local executor has */
} MtEmit;

/* Appends to `out`, under the name `key`, an aggregation expression that computes x. For NULL it
 * gives null, never a missing field. Text that begins with "$" is put into $literal. False: e->err
 * is set. */
bool mt_emit_value (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends an expression that is true if x is TRUE, and false if x is FALSE or NULL. It is cheaper
 * than that of mt_emit_value. */
bool mt_emit_condition (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends the filter x to the document of a $match. Simple comparisons become {path: {$op:
 * constant}}, which can use an index. Other conditions become {$expr: …}. */
bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match);

/* Like mt_emit_value, for an operand of an operator, where constants need no $literal in most
 * cases. */
bool mt_emit_x (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Returns whether a call must use mtsql's own operator, because an argument may be an infinite
 * time. MongoDB's operators treat it as an ordinary date. */
bool mt_only_by_operator (const MtX *call);

#endif
