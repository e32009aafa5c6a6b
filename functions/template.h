/* Templates computed over constants without a pipeline, for constant folding and INSERT. */
#ifndef MT_TEMPLATE_H
#define MT_TEMPLATE_H

#include "query/function.h"

typedef struct MtTemplate MtTemplate;

/* Parses a row's template. Arena a must outlive the result. NULL: the template needs a pipeline
 * for variables, $map, or operators of servers. */
const MtTemplate *mt_template_read (MtArena *a, const MtFunc *f);

/* Parses a part of a template, given as its document. */
const MtTemplate *mt_template_part (MtArena *a, MtVal part);
/* Whether all arguments that t uses are known. */
bool mt_template_known (const MtTemplate *t, const bool *known, int argc);
/* Computes t from the function's arguments. *out may borrow from them. Errors are those of the
 * operators. */
bool mt_template_run (MtArena *a, const MtTemplate *t, const MtVal *args, int argc, MtVal *out,
                      MtError *err);

#endif
