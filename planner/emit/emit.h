/* From typed expressions to MongoDB's aggregation language. */
#ifndef MT_EMIT_H
#define MT_EMIT_H

#include "query/query.h"

/* How a column (or key, aggregate, target) is reached in the documents at this point of the
 * pipeline. */
typedef struct MtPlace {
   const char *path;    /* "a.b" without '$' when it is a plain path; NULL: expr */
   const bson_t *expr;  /* {"": <aggregation expression>}; used for values; NULL: "$path" */
   bool may_be_missing; /* a missing field stands for NULL: wrap where null and missing differ */
   bool nullable;
   /* When the stored form (at `path`) differs from the value but is a monotone one-to-one image of
    * it, encode() gives the stored form of a constant, so that filters compare stored forms (and
    * indexes serve): *out in arena a; false in *exact when the constant falls between two stored
    * forms (then *out is the next lower one). NULL: the stored form is the value. */
   bool (*encode) (const struct MtPlace *p, MtArena *a, MtVal constant, MtVal *out, bool *exact);
   /* A time has several stored forms: from encode() of it to before that of the next
    * millisecond. */
   bool several;
   const void *impl; /* for encode */
   bool can_match;   /* path may be used in the match language (no array on the way that would be
                        traversed) */
} MtPlace;

typedef struct MtEmit {
   MtArena *a;
   const MtTextStyle *style;
   const MtPlace *columns; /* by MT_X_COLUMN.column */
   const MtPlace *keys;    /* by MT_X_KEY.index */
   const MtPlace *aggs;    /* by MT_X_AGG.index */
   const MtPlace *targets; /* by MT_X_TARGET.index */
   bool local_only;        /* out: set when an operator was used that only the local executor has */
} MtEmit;

/* Appends under `key` an aggregation expression that computes x: NULL is null (never missing),
 * booleans are bool, every value in its type's own BSON representation. String constants are
 * wrapped in $literal where they could be read as paths. */
bool mt_emit_value (MtEmit *e, const MtX *x, bson_t *out, const char *key, MtError *err);

/* The same for a condition: true exactly when x is TRUE (false and NULL are both false): cheaper
 * than mt_emit_value. */
bool mt_emit_condition (MtEmit *e, const MtX *x, bson_t *out, const char *key, MtError *err);

/* A filter as the fields of a $match: what the match language says exactly goes there as {path:
 * {$op: constant}} under $and, the rest under
 * {$expr: …}. */
bool mt_emit_match (MtEmit *e, const MtX *x, bson_t *match, MtError *err);

/* The same where a bare constant means itself: as an argument of an operator. */
bool mt_emit_x (MtEmit *e, const MtX *x, bson_t *out, const char *key, MtError *err);

/* Of a time that may be infinite (MtX.finite): MongoDB computes with it as with any other. */
bool mt_only_by_operator (const MtX *call);

#endif
