/* Parsed signatures (parameter and result types) of functions, operators, casts and aggregates. */
#ifndef MT_SIGNATURE_H
#define MT_SIGNATURE_H

#include "query/environment.h"
#include "query/x.h"

/* PostgreSQL's polymorphic types. In one call, all anyelement types stand for one type, and all
 * anycompatible types stand for one common type of the arguments. "any" accepts every type. */
#define MT_SIG_ANY ((MtTypeId) (MT_T_COUNT + 1))
#define MT_SIG_ELEMENT ((MtTypeId) (MT_T_COUNT + 2))
#define MT_SIG_ARRAY ((MtTypeId) (MT_T_COUNT + 3))
#define MT_SIG_NONARRAY ((MtTypeId) (MT_T_COUNT + 4))
#define MT_SIG_COMPATIBLE ((MtTypeId) (MT_T_COUNT + 5))
#define MT_SIG_COMPATIBLE_ARRAY ((MtTypeId) (MT_T_COUNT + 6))
#define MT_SIG_ENUM ((MtTypeId) (MT_T_COUNT + 7)) /* anyenum */
#define MT_SIG_END ((MtTypeId) (MT_T_COUNT + 8))
_Static_assert (MT_T_COUNT + 8 < MT_T_ENUM,
                "ids of signatures lie between those of built-in types and those of others");
/* Returns the name of a type, also of a polymorphic one: "integer[]", "anyarray" … */
const char *mt_sig_type_name (MtTypeId t);
#define MT_SIG_MAX_ARGS 12

/* The parsed signature of one function, operator, cast or aggregate. */
typedef struct MtSig {
   const MtFunc *fn; /* the function; NULL: an aggregate, in `agg` */
   const MtAgg *agg;
   const char *name;
   int argc; /* number of declared parameters, hidden ones included; VARIADIC counts as one */
   bool variadic;
   MtTypeId args[MT_SIG_MAX_ARGS];
   MtStr arg_names[MT_SIG_MAX_ARGS];
   MtTypeId ret;
} MtSig;

/* Returns all functions of a name, built-in ones first. ASCII case is ignored. mask: MT_F_OPERATOR
 * or MT_F_CAST to find operators or casts instead. In arena a. */
const MtSig **mt_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, unsigned mask,
                               int *count);
/* Returns all aggregates of a name, built-in ones first, in arena a. ASCII case is ignored. env may
 * be NULL: only built-in aggregates. */
const MtSig **mt_agg_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, int *count);
/* Parses a signature such as "text, integer -> text" into *out. False: the signature is invalid. */
bool mt_sig_parse (const char *name, const char *signature, unsigned flags, MtSig *out);
/* Returns the cast from one type to another. NULL: there is no such cast. */
const MtSig *mt_cast_row (MtTypeId from, MtTypeId to);
/* Returns an internal function, which SQL can't call, by name: "$distinct", "$greatest_float" … */
const MtFunc *mt_hidden_func (const char *name);
/* Returns the function that applies type modifiers, as in numeric(10,2). Its arguments are (value,
 * mod1 [, mod2]). NULL: none is needed. */
const MtFunc *mt_modifier_func (MtType to, bool explicit_cast);
/* Returns the names of all functions and aggregates, to suggest a similar name in hints. */
const char *const *mt_function_names (size_t *count);
/* Returns whether a built-in window function has this name. ASCII case is ignored. */
bool mt_is_window_function (const char *name);

/* Returns the number of arguments that SQL callers write. Hidden last parameters, whose names begin
 * with '_', are added by analysis. */
int mt_visible_args (const MtSig *s);

/* Returns the parsed template of a built-in function, to compute constant calls in process. NULL: f
 * is not built in, or its template needs a pipeline. */
const struct MtTemplate *mt_builtin_template (const MtFunc *f);

/* Runs an operator of the local executor on values. strict: any NULL argument makes the result
 * NULL. */
bool mt_run_op (MtEval ev, const MtOpRow *op, bool strict, const MtVal *args, int argc, MtVal *out);

/* Compares two non-NULL values of a type in PostgreSQL's order: NaN is the largest number,
 * intervals are compared by their estimated length. */
int mt_datum_compare (MtTypeId t, MtVal a, MtVal b);

/* Returns all built-in functions, for \df, help, completion and the reference. */
const MtFunc *mt_builtin_functions (size_t *count);
const MtAgg *mt_builtin_aggregates (size_t *count);
/* Returns the local executor's operators ("$_mt…") of all built-in functions, for
 * mt_engine_register_ops. A row without a name ends the array. */
const MtOpRow *mt_sql_ops (void);

/* All window functions. A row without a name ends the array. */
extern const MtWindowFunc mt_window_funcs[];
const MtWindowFunc *mt_builtin_windows (size_t *count);

#endif
