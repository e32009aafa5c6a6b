/* Signatures (the types of parameters and result) of functions, operators, casts and aggregates. */
#ifndef MT_SIGNATURE_H
#define MT_SIGNATURE_H

#include "query/environment.h"
#include "query/x.h"

/* PostgreSQL's polymorphic types. In one call, anyelement, anyarray and their like must agree on
 * one type, and the anycompatible types on a common type of their arguments. "any" accepts every
 * type. */
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
/* Returns the name of a type, including polymorphic ones: "integer[]", "anyarray". */
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

/* Returns the built-in functions and then those of env with this name, ignoring ASCII case. `mask`
 * MT_F_OPERATOR or MT_F_CAST returns operators or casts instead. The array is allocated in arena a;
 * *count is its length. */
const MtSig **mt_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, unsigned mask,
                               int *count);
/* Returns the built-in aggregates and then those of env with this name, ignoring ASCII case; only
 * built-in ones if env is NULL. The array is allocated in arena a; *count is its length. */
const MtSig **mt_agg_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, int *count);
/* Parses a signature such as "text, integer -> text" into *out. Returns false if it is invalid. */
bool mt_sig_parse (const char *name, const char *signature, unsigned flags, MtSig *out);
/* Returns the cast from one type to another, or NULL. */
const MtSig *mt_cast_row (MtTypeId from, MtTypeId to);
/* Returns the internal function with this name, such as "$distinct", which SQL can't call. */
const MtFunc *mt_hidden_func (const char *name);
/* Returns the function that applies type modifiers, such as those of numeric(10,2), to a value. Its
 * arguments are (value, mod1 [, mod2]). NULL: the type has none. */
const MtFunc *mt_modifier_func (MtType to, bool explicit_cast);
/* Returns the names of all functions and aggregates, to suggest a similar name in hints. */
const char *const *mt_function_names (size_t *count);
/* Returns whether a built-in window function has this name. ASCII case is ignored. */
bool mt_is_window_function (const char *name);

/* Returns the number of arguments that SQL callers write. Hidden last parameters, whose names begin
 * with '_', don't count; analysis adds their arguments. */
int mt_visible_args (const MtSig *s);

/* Returns the parsed template of a function, to compute calls with constant arguments in this
 * process. NULL: f is not built in, or its template can only be computed in a pipeline. */
const struct MtTemplate *mt_builtin_template (const MtFunc *f);

/* Runs an operator of the local executor once, on argc values. With `strict`, any NULL argument
 * makes the result NULL. */
bool mt_run_op (MtEval ev, const MtOpRow *op, bool strict, const MtVal *args, int argc, MtVal *out);

/* Compares two values of type t, which must not be NULL, in PostgreSQL's sort order: NaN is the
 * greatest number, intervals are compared by estimated length. Returns < 0, 0 or > 0. */
int mt_datum_compare (MtTypeId t, MtVal a, MtVal b);

/* Returns the tables of all built-in functions and aggregates, for \df, help, completion and the
 * reference. */
const MtFunc *mt_builtin_functions (size_t *count);
const MtAgg *mt_builtin_aggregates (size_t *count);
/* Returns the operators ("$_mt…") of all built-in functions for the local executor, to pass to
 * mt_engine_register_ops. The array ends with a row without a name. */
const MtOpRow *mt_sql_ops (void);

/* The table of window functions, which ends with a row without a name. */
extern const MtWindowFunc mt_window_funcs[];
const MtWindowFunc *mt_builtin_windows (size_t *count);

#endif
