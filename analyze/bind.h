/* Analysis: from the syntax tree to the typed tree. Names, types and functions are resolved by
 * PostgreSQL's rules, with its wording of errors. Results are in arena a. */
#ifndef MT_BIND_H
#define MT_BIND_H

#include "query/environment.h"

bool mt_bind_select (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtQuery **out,
                     MtError *err);

/* The columns to which a query's results are assigned, as in INSERT … SELECT. */
typedef struct MtAssignment {
   const MtColumn *const *columns;
   size_t count;
   const MtNameList *named; /* the columns that the statement names; NULL: none */
} MtAssignment;

/* Analyzes a query, and converts its results to the types of the columns. Fails with 42804 if a
 * type can't be assigned, and with 42601 if the query has more columns than `to`, or fewer than the
 * statement names. */
bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtAssignment to,
                       MtQuery **out, MtError *err);
/* Checks that an INSERT that names columns has a value for each. given: the number of values. Fails
 * with 42601 at the first column without a value. */
bool mt_all_given (const MtNameList *named, int given, MtError *err);

/* Analyzes one value of INSERT … VALUES, and converts it to the type of column c. */
bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err);

/* A parameter of a prepared statement: $number. */
typedef struct MtParam {
   int number;
   MtType type;
} MtParam;

/* Analyzes the argument of EXECUTE for a parameter, and converts it to the parameter's type. */
bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtParam param, MtX **out,
                       MtError *err);
/* Finds the domain that a type name means; out->name NULL: it is no domain's. */
void mt_domain_of (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtDomain *out);
/* Analyzes the checks of a domain over column number `column` of a row. */
bool mt_bind_domain_column (MtArena *a, const MtBindEnv *env, const MtDomain *d, int column,
                            MtX **out, MtError *err);
/* Analyzes a condition of a domain, to find errors. */
bool mt_bind_domain_condition (MtArena *a, const MtBindEnv *env, const MtDomain *d, const MtExpr *e,
                               MtError *err);
bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err);

/* Analyzes an expression without columns, such as a DEFAULT. The result is converted to `want` as
 * in an assignment. */
bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtType want, MtX **out,
                   MtError *err);
/* Analyzes a condition on rows of table t, as in COPY … WHERE. */
bool mt_bind_condition (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err);
/* The same for the condition of a CHECK constraint. */
bool mt_bind_check (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtX **out,
                    MtError *err);
/* The same for the condition of a partial index. 42P17 if its value can change by itself. */
bool mt_bind_predicate (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err);

#endif
