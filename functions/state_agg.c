/* Completes aggregates that are C functions over a state, both built-in ones and those of
 * extensions. */
#include "functions/agg.h"

#include <stddef.h>

/* Computes an aggregate's result. The argument is the accumulator's result {v: value}, or a sorted
 * list of rows that must still be aggregated. Anything else counts as no rows. */
static bool call_result (MtEval *ev, const MtVal *args, int argc, MtVal *out)
{
   const MtStateAgg *g = ev->user;
   if (argc == 1 && args[0].type == MT_DOC) {
      *out = mt_doc_get (args[0], "v", 1);
      return true;
   }
   return mt_state_run (ev, &g->acc, argc == 1 ? args[0] : mt_v_null (), out);
}

void mt_state_agg_make (MtArena *a, const MtAgg *row, const char *name, MtStateAgg *to, MtOpRow *op)
{
   *to = (MtStateAgg) {.agg = {.name = row->name,
                               .signature = row->signature,
                               .flags = row->flags,
                               .summary = row->summary,
                               .example = row->example,
                               .rule = MT_AGG_PARTS,
                               .kind = &mt_agg_state,
                               .op = name,
                               .state = row->state,
                               .merger = row->merger},
                       .acc = {.name = name,
                               .function = row->name,
                               .state = row->state,
                               .rollup = row->merger,
                               .strict = !(row->flags & MT_F_NOT_STRICT)}};
   mt_sig_parse (row->name, row->signature, 0, &to->sig);
   to->acc.types = to->sig.args;
   to->acc.argc = to->sig.argc;
   to->acc.bare = to->sig.argc == 1 && to->acc.strict;
   to->acc.result = to->sig.ret;
   to->acc.takes_type = mt_visible_args (&to->sig) < to->sig.argc;
   mt_accumulator_add (&to->acc);
   if (row->merger)
      mt_accumulator_add (row->merger);
   *op = (MtOpRow) {.name = mt_printf (a, "%s" MT_AGG_RESULT, name),
                    .min_args = 1,
                    .max_args = 1,
                    .fn = call_result,
                    .user = to,
                    .summary = row->summary};
}

const MtAgg *mt_state_agg_of (const MtStateAccumulator *acc)
{
   const void *whole = (const char *) acc - offsetof (MtStateAgg, acc);
   return &((const MtStateAgg *) whole)->agg;
}
