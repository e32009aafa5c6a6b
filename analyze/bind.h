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

/* Analyzes query s for an INSERT, and casts its result columns to the types of the table columns
 * `to`. Fails with 42804 if a type can't be assigned. Fails with 42601 if the query has more
 * columns than `to`, or fewer columns than the INSERT lists by name. */
bool mt_bind_assigned (MtArena *a, const MtBindEnv *env, const MtSelect *s, MtAssignment to,
                       MtQuery **out, MtError *err);
/* Checks that an INSERT with a column list gives a value for each column of the list. given: the
 * number of values per row. Fails with 42601 at the first column without a value. */
bool mt_all_given (const MtNameList *named, int given, MtError *err);

/* Analyzes one value of INSERT … VALUES, and converts it to the type of column c. */
bool mt_bind_value (MtArena *a, const MtBindEnv *env, const MtExpr *e, const MtColumn *c, MtX **out,
                    MtError *err);

/* A parameter of a prepared statement: $number. */
typedef struct MtParam {
   int number;
   MtType type;
} MtParam;

/* Analyzes the expression that EXECUTE passes for a parameter, and casts it to the parameter's
 * type. */
bool mt_bind_argument (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtParam param, MtX **out,
                       MtError *err);
/* Finds the domain (a type with CHECK conditions) named `name`. Sets out->name to NULL if `name` is
 * no domain. */
void mt_domain_of (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtDomain *out);
/* Makes *out the CHECK conditions of domain d as an expression over column number `column` of a
 * row. */
bool mt_bind_domain_column (MtArena *a, const MtBindEnv *env, const MtDomain *d, int column,
                            MtX **out, MtError *err);
/* Analyzes the CHECK condition e of a domain, only to report its errors. */
bool mt_bind_domain_condition (MtArena *a, const MtBindEnv *env, const MtDomain *d, const MtExpr *e,
                               MtError *err);
bool mt_bind_type (MtArena *a, const MtBindEnv *env, const MtTypeName *name, MtType *out,
                   MtError *err);

/* Analyzes an expression without columns, such as a DEFAULT, and casts the result to type `want` by
 * the rules of assignments. */
bool mt_bind_expr (MtArena *a, const MtBindEnv *env, const MtExpr *e, MtType want, MtX **out,
                   MtError *err);
/* Analyzes a condition on rows of table t, as in COPY … WHERE. */
bool mt_bind_condition (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err);
/* Analyzes the condition of a CHECK constraint on table t. */
bool mt_bind_check (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e, MtX **out,
                    MtError *err);
/* Analyzes the condition of a partial index on table t. Fails with 42P17 if the condition is not
 * immutable, such as one with now(). */
bool mt_bind_predicate (MtArena *a, const MtBindEnv *env, const MtTable *t, const MtExpr *e,
                        MtX **out, MtError *err);

#endif
