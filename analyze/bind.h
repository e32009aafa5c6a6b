/* The binder: syntax tree in, typed tree out. Names, types, functions; PostgreSQL's rules and
 * wording. */
#ifndef MT_BIND_H
#define MT_BIND_H

#include "query/environment.h"

bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err);

/* A query whose columns are stored in `columns`: coerced by assignment rules (42804). More columns
 * than `count` are 42601, and fewer where the statement names them (`named`); otherwise these are
 * the caller's to judge. */
bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s,
                       const MtColumn *const *columns, int count, const MtNameList *named,
                       MtQuery **out, MtError *err);
/* The columns that INSERT names have each one of `given` values; otherwise 42601, at the first that
 * has none. */
bool mt_all_given (const MtNameList *named, int given, MtError *err);

/* One value of INSERT's VALUES, coerced to its column. */
bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err);

/* EXECUTE's argument for $number. */
bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, int number, MtType want,
                       MtX **out, MtError *err);
bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err);

/* An expression over a table's columns (COPY … WHERE, DEFAULT, GENERATED); t may be NULL. Coerced
 * to `want` by assignment rules unless want.id is MT_T_UNKNOWN. */
bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtType want,
                   MtX **out, MtError *err);

#endif
