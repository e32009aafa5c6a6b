/* The choice among functions or operators of one name. */
#ifndef MT_CHOOSE_CALL_H
#define MT_CHOOSE_CALL_H

#include "analyze/state/binder.h"

/* The types that polymorphic types of a signature stand for in a call: anyelement's family, and
 * anycompatible's. MT_T_UNKNOWN: the arguments don't decide it. */
typedef struct MtPolymorphic {
   MtTypeId element, compatible;
} MtPolymorphic;
/* Computes them. False: the arguments don't agree. */
bool mt_sig_agree (const MtSig *s, const MtTypeId *args, int argc, MtPolymorphic *out);
/* Returns the type that t, a type of a signature, stands for. */
MtTypeId mt_sig_actual (MtTypeId t, const MtPolymorphic *p);
/* Returns the type of parameter i; a variadic parameter repeats. */
MtTypeId mt_sig_param (const MtSig *s, int i);

/* Returns the operator of two arguments that fits without regard to conversions: by both types, or
 * by the only one known. NULL: none. */
const MtSig *mt_obvious_operator (const MtSig *const *sigs, int count, const MtTypeId *args);
/* Chooses by PostgreSQL's rules (func_select_candidate). NULL: none fits, or several do
 * (*ambiguous). */
const MtSig *mt_choose_sig (const MtSig *const *sigs, int count, const MtTypeId *args, int argc,
                            bool is_operator, bool *ambiguous);

/* A call to resolve: its candidates, and its arguments as bound. */
typedef struct MtCallArgs {
   const MtSig **sigs;
   int count;
   MtX **args;
   /* The names of arguments given by name; names[i].text is NULL for others. NULL: none is. */
   const MtName *names;
   int argc;
   bool is_operator;
} MtCallArgs;
/* Chooses the candidate that the call means. NULL: none fits, or several do (*ambiguous). */
const MtSig *mt_choose_call (MtBinder *b, const MtCallArgs *call, bool *ambiguous);
/* Puts the arguments in the order of s's parameters, and adds defaults. */
bool mt_place_args (MtBinder *b, const MtSig *s, MtCallArgs *call);

#endif
