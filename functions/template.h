/* Templates (the MongoDB expressions of SQL functions), computed in this process for constant
 * arguments. */
#ifndef MT_TEMPLATE_H
#define MT_TEMPLATE_H

#include "query/function.h"

typedef struct MtTemplate MtTemplate;

/* Parses a function's template, into arena a. Returns NULL if only a pipeline can compute it,
 * because it has variables, $map, or operators that only servers have. */
const MtTemplate *mt_template_read (MtArena *a, const MtFunc *f);

/* Parses a part of a template, given as a BSON value, into arena a. Returns NULL if only a pipeline
 * can compute it. */
const MtTemplate *mt_template_part (MtArena *a, MtVal part);
/* Returns whether t uses only arguments that are constant. known[i]: argument i is constant. */
bool mt_template_known (const MtTemplate *t, const bool *known, int argc);
/* Computes template t from the function's arguments. *out may borrow from `args`. Fails with the
 * errors of the operators in t. */
bool mt_template_run (MtArena *a, const MtTemplate *t, const MtVal *args, int argc, MtVal *out,
                      MtError *err);

#endif
