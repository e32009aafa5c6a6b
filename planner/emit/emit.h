/* Typed expressions in MongoDB's aggregation language. */
#ifndef MT_EMIT_H
#define MT_EMIT_H

#include "query/query.h"

/* How documents hold a column (or key, aggregate, target) at some point of the pipeline. */
typedef struct MtPlace {
   /* "a.b" without '$'. NULL: expr. */
   const char *path;
   /* {"": <aggregation expression>} that computes the value. NULL: "$path". */
   const bson_t *expr;
   /* A missing field stands for NULL. The emitter tells null from missing where they differ. */
   bool may_be_missing;
   bool nullable;
   /* The stored form at `path` differs from the value, but is a monotone one-to-one image of it.
    * encode() computes the stored form of a constant, so that filters compare stored forms and
    * indexes serve. *out is in arena a. *exact is false when the constant lies between two
    * stored forms; *out is then the lower one. NULL: the stored form is the value. */
   bool (*encode) (const struct MtPlace *p, MtArena *a, MtVal constant, MtVal *out, bool *exact);
   /* A time has several stored forms: from its encode() to before the encode() of the next
    * millisecond. */
   bool several;
   const void *impl; /* for encode */
   /* The match language can use path: no array lies on the way. */
   bool can_match;
} MtPlace;

typedef struct MtEmit {
   MtArena *a;
   MtError *err; /* set by the functions that return false */
   const MtTextStyle *style;
   const MtPlace *columns; /* by MT_X_COLUMN.column */
   const MtPlace *keys;    /* by MT_X_KEY.index */
   const MtPlace *aggs;    /* by MT_X_AGG.index */
   const MtPlace *targets; /* by MT_X_TARGET.index */
   bool local_only;        /* out: an operator was used that only the local executor has */
} MtEmit;

/* Appends to `out`, under `key`, an aggregation expression that computes x. NULL becomes null
 * and is never missing. Booleans are bool. Each value has the BSON representation of its type.
 * Text that could be read as a path is wrapped in $literal. False: *err says why. */
bool mt_emit_value (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends an expression that is true exactly when x is TRUE, and false otherwise. It is cheaper
 * than the one of mt_emit_value. */
bool mt_emit_condition (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* Appends a filter as the fields of a $match. Where the match language means the same as SQL,
 * the filter is {path: {$op: constant}} under $and. The rest goes under {$expr: …}. */
bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match);

/* Like mt_emit_value, at a place where a bare constant means itself: an argument of an operator. */
bool mt_emit_x (MtEmit *e, const MtX *x, bson_t *out, const char *key);

/* True: only the row's own operator computes the call rightly, since a time in it may be
 * infinite (MtX.finite). MongoDB's operators treat such times as any others. */
bool mt_only_by_operator (const MtX *call);

#endif
