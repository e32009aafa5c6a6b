/* Analysis: from the syntax tree to the typed tree. Names, types and functions are resolved by
 * PostgreSQL's rules, with its wording of errors. Results are in arena a. */
#ifndef MT_BIND_H
#define MT_BIND_H

#include "query/environment.h"

bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err);

/* Binds a query whose columns are stored in `columns`: they are converted by assignment rules
 * (42804). 42601: it has more columns than `count`, or fewer than the statement names (`named`).
 * The caller checks other missing columns. */
bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s,
                       const MtColumn *const *columns, int count, const MtNameList *named,
                       MtQuery **out, MtError *err);
/* Checks that each column that INSERT names has one of `given` values. 42601 at the first without
 * one. */
bool mt_all_given (const MtNameList *named, int given, MtError *err);

/* Binds a value of INSERT's VALUES, converted to its column. */
bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err);

/* Binds EXECUTE's argument for $number. */
bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, int number, MtType want,
                       MtX **out, MtError *err);
bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err);

/* Binds an expression over a table's columns (COPY … WHERE, DEFAULT, GENERATED); t may be NULL. It
 * is converted to `want` by assignment rules unless want.id is MT_T_UNKNOWN. */
bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtType want,
                   MtX **out, MtError *err);

#endif
