/* Analysis: from the syntax tree to the typed tree. Names, types and functions are resolved by
 * PostgreSQL's rules, with its wording of errors. Results are in arena a. */
#ifndef MT_BIND_H
#define MT_BIND_H

#include "query/environment.h"

bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err);

/* Analyzes the query of INSERT … SELECT, and converts its results to the types of `columns`. Fails
 * with 42804 if a type can't be assigned, and with 42601 if the query has more columns than
 * `count`, or fewer than the statement names (`named`). */
bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s,
                       const MtColumn *const *columns, int count, const MtNameList *named,
                       MtQuery **out, MtError *err);
/* Checks that an INSERT that names columns has a value for each. given: the number of values. Fails
 * with 42601 at the first column without a value. */
bool mt_all_given (const MtNameList *named, int given, MtError *err);

/* Analyzes one value of INSERT … VALUES, and converts it to the type of column c. */
bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err);

/* Analyzes the argument of EXECUTE for parameter $number, and converts it to type `want`. */
bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, int number, MtType want,
                       MtX **out, MtError *err);
bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err);

/* Analyzes an expression over the columns of table t, for COPY … WHERE, DEFAULT and GENERATED. t
 * may be NULL. The result is converted to `want` as in an assignment, unless want.id is
 * MT_T_UNKNOWN. */
bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtType want,
                   MtX **out, MtError *err);

#endif
