/* Templates evaluated here and now, over constants: what folding and INSERT's values need, without
 * a pipeline. */
#ifndef MT_TEMPLATE_H
#define MT_TEMPLATE_H

#include "query/function.h"

typedef struct MtTemplate MtTemplate;

/* The row's template, read; in arena a, which must outlive it. NULL: it uses what only a pipeline
 * has (variables, $map, operators of servers alone). */
const MtTemplate *mt_template_read (MtArena *a, const MtFunc *f);

/* A part of a template (its document), read in the same way. */
const MtTemplate *mt_template_part (MtArena *a, MtVal part);
/* Whether it follows from those arguments alone. */
bool mt_template_known (const MtTemplate *t, const bool *known, int argc);
/* Computes it from f's arguments. *out may borrow from them. Errors are the operators' own. */
bool mt_template_run (MtArena *a, const MtTemplate *t, const MtVal *args, int argc, MtVal *out,
                      MtError *err);

#endif
