/* Signatures of functions, operators, casts and aggregates, parsed once from the rows. */
#ifndef MT_SIGNATURE_H
#define MT_SIGNATURE_H

#include "query/environment.h"
#include "query/x.h"

/* PostgreSQL's polymorphic types in signatures. All types of the first family represent one
 * type. The types of the second family represent one type to which all arguments can be cast.
 * "any" is each argument's own type. */
#define MT_SIG_ANY ((MtTypeId) (MT_T_COUNT + 1))
#define MT_SIG_ELEMENT ((MtTypeId) (MT_T_COUNT + 2))
#define MT_SIG_ARRAY ((MtTypeId) (MT_T_COUNT + 3))
#define MT_SIG_NONARRAY ((MtTypeId) (MT_T_COUNT + 4))
#define MT_SIG_COMPATIBLE ((MtTypeId) (MT_T_COUNT + 5))
#define MT_SIG_COMPATIBLE_ARRAY ((MtTypeId) (MT_T_COUNT + 6))
#define MT_SIG_END ((MtTypeId) (MT_T_COUNT + 7))
_Static_assert (MT_T_COUNT + 7 < MT_T_ARRAY,
                "ids of signatures lie between those of scalar types and those of arrays");
/* The type's name: "integer[]", "anyarray" … */
const char *mt_sig_type_name (MtTypeId t);
#define MT_SIG_MAX_ARGS 12

/* A row's signature. */
typedef struct MtSig {
   const MtFunc *fn; /* or agg */
   const MtAgg *agg;
   const char *name;
   int argc; /* declared parameters; a variadic one counts once */
   bool variadic;
   MtTypeId args[MT_SIG_MAX_ARGS];
   MtStr arg_names[MT_SIG_MAX_ARGS];
   MtTypeId ret;
} MtSig;

/* All rows with a name, ignoring ASCII case; built-in rows come first. mask, of MT_F_OPERATOR |
 * MT_F_CAST: rows with these flags only. In arena a. */
const MtSig **mt_sigs_by_name (MtArena *a, const MtBindEnv *env, const char *name, unsigned mask,
                               int *count);
/* All rows of aggregates with a name, in the same way. */
const MtSig **mt_agg_sigs_by_name (MtArena *a, const char *name, int *count);
/* Parses a signature. False: it is invalid. A test checks the built-in rows; mt_func_from_create
 * checks user functions. */
bool mt_sig_parse (const char *name, const char *signature, unsigned flags, MtSig *out);
/* The cast from one type to another. NULL: there is none. */
const MtSig *mt_cast_row (MtTypeId from, MtTypeId to);
/* A built-in row that only analysis uses, by name: "$distinct", "$greatest_float" … */
const MtFunc *mt_hidden_func (const char *name);
/* The function that applies a type's modifiers (value, mod1 [, mod2]). NULL: none is needed. */
const MtFunc *mt_modifier_func (MtType to, bool explicit_cast);
/* The names of functions and aggregates, for hints. */
const char *const *mt_function_names (size_t *count);
/* Whether a built-in window function has the name. ASCII case is ignored. */
bool mt_is_window_function (const char *name);

/* The number of arguments that a caller writes. Hidden arguments at the end, whose names begin
 * with '_', don't count. */
int mt_visible_args (const MtSig *s);

/* A built-in row's template, for constants. NULL: f isn't built in, or its template needs a
 * pipeline. */
const struct MtTemplate *mt_builtin_template (const MtFunc *f);

/* Runs an operator on values. If strict, a NULL argument gives NULL. */
bool mt_run_op (MtEval ev, const MtOpRow *op, bool strict, const MtVal *args, int argc, MtVal *out);

/* Compares two non-NULL values of a type in PostgreSQL's order: NaN is the largest number,
 * intervals are compared by their estimated length. */
int mt_datum_compare (MtTypeId t, MtVal a, MtVal b);

/* The built-in rows, for \df, help, completion and the reference. */
const MtFunc *mt_builtin_functions (size_t *count);
const MtAgg *mt_builtin_aggregates (size_t *count);
/* The operators ("$_mt…") of built-in functions, for mt_engine_register_ops. Ends with a row
 * without a name. */
const MtOpRow *mt_sql_ops (void);

/* Ends with a row without a name. */
extern const MtWindowFunc mt_window_funcs[];
const MtWindowFunc *mt_builtin_windows (size_t *count);

#endif
