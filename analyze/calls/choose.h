/* Overload resolution: chooses among functions or operators of one name. */
#ifndef MT_CHOOSE_CALL_H
#define MT_CHOOSE_CALL_H

#include "analyze/state/binder.h"

/* The actual types, in one call, for polymorphic parameter types: anyelement, anyarray … (element),
 * and anycompatible … (compatible). MT_T_UNKNOWN: the arguments do not decide the type. */
typedef struct MtPolymorphic {
   MtTypeId element, compatible;
} MtPolymorphic;
/* Computes the actual types for the polymorphic parameters of s (anyelement …) from the argument
 * types. False: the arguments disagree. */
bool mt_sig_agree (const MtSig *s, const MtTypeId *args, int argc, MtPolymorphic *out);
/* Returns the actual type for t, a parameter type that may be polymorphic (anyelement …). */
MtTypeId mt_sig_actual (MtTypeId t, const MtPolymorphic *p);
/* Returns the type of parameter i; a variadic parameter repeats. */
MtTypeId mt_sig_param (const MtSig *s, int i);

/* Returns the binary operator whose parameter types are exactly the argument types. An UNKNOWN
 * argument counts as the other's type, and a document may count as jsonb. NULL: none. */
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
   /* By argument: the name in name => value; text is NULL for positional arguments. NULL: all are
    * positional. */
   const MtName *names;
   int argc;
   bool is_operator;
} MtCallArgs;
/* Chooses the candidate that fits the call's arguments. NULL: none fits, or several do (then
 * *ambiguous is true). */
const MtSig *mt_choose_call (MtBinder *b, const MtCallArgs *call, bool *ambiguous);
/* Sorts the call's arguments into the order of s's parameters, and adds default values. */
bool mt_place_args (MtBinder *b, const MtSig *s, MtCallArgs *call);

#endif
