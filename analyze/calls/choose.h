/* Overload resolution: chooses among functions or operators of one name. */
#ifndef MT_CHOOSE_CALL_H
#define MT_CHOOSE_CALL_H

#include "analyze/state/binder.h"

/* The actual types of a call for its polymorphic parameters. element: for anyelement, anyarray …;
 * compatible: for anycompatible …. MT_T_UNKNOWN: the arguments do not determine the type. */
typedef struct MtPolymorphic {
   MtTypeId element, compatible;
} MtPolymorphic;
/* Computes the actual types for the polymorphic parameters of s (anyelement …) from the argument
 * types. Returns false if two arguments require different types. */
bool mt_sig_agree (const MtSig *s, const MtTypeId *args, int argc, MtPolymorphic *out);
/* Returns the actual type for t, a parameter type that may be polymorphic (anyelement …). */
MtTypeId mt_sig_actual (MtTypeId t, const MtPolymorphic *p);
/* Returns the type of parameter i of s. If s is variadic, all i from the last parameter on give the
 * last type. */
MtTypeId mt_sig_param (const MtSig *s, int i);

/* Returns the binary operator whose parameter types equal the argument types. An untyped literal
 * takes the type of the other argument, and a document may count as jsonb. NULL: there is no such
 * operator. */
const MtSig *mt_obvious_operator (const MtSig *const *sigs, int count, const MtTypeId *args);
/* Chooses a function or operator for the argument types by PostgreSQL's rules
 * (func_select_candidate). NULL: none fits, or several do (then *ambiguous is true). */
const MtSig *mt_choose_sig (const MtSig *const *sigs, int count, const MtTypeId *args, int argc,
                            bool is_operator, bool *ambiguous);

/* A call to resolve: the candidate functions and the analyzed arguments. */
typedef struct MtCallArgs {
   const MtSig **sigs;
   int count;
   MtX **args;
   /* Names of the arguments in calls like f (name => value), one for each argument. A positional
    * argument has the text NULL. names is NULL if all arguments are positional. */
   const MtName *names;
   int argc;
   bool is_operator;
} MtCallArgs;
/* Chooses the candidate that fits the call's arguments. NULL: none fits, or several do (then
 * *ambiguous is true). */
const MtSig *mt_choose_call (MtBinder *b, const MtCallArgs *call, bool *ambiguous);
/* Puts the arguments of the call into the order of s's parameters, and adds the default values of
 * missing ones. Changes *call. */
bool mt_place_args (MtBinder *b, const MtSig *s, MtCallArgs *call);

#endif
