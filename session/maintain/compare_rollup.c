/* Compares a roll-up with records: for each key, the extremes (min, max) and aggregate states. */
#include "session/maintain/compare_int.h"

#include "layouts/cell_state.h"
#include "layouts/read/states.h"

/* An extreme (minimum or maximum) of a measure in the roll-up. */
typedef struct Extreme {
   const char *at, *op, *name; /* path; the accumulator; in SQL */
} Extreme;

static Extreme extreme (const MtMeasureAgg *m, int which)
{
   return which ? (Extreme) {m->max, "$max", "max"} : (Extreme) {m->min, "$min", "min"};
}

/* ---- the values of a leaf ---- */

/* Appends the arguments of a state's aggregate function for one record, as its accumulator reads
 * them: one value, or an array of values. Appends nothing if the aggregate ignores the record. */
static void append_args (MtArena *a, const MtCellState *s, const MtLeaf *leaf, const char *name,
                         MtBson *out)
{
   bool counts = true;
   MtVal args[MT_STATE_ARGS];
   mt_cell_state_args (s, leaf->row, args);
   for (int i = 0; i < s->argc; i++) {
      counts = counts && !(s->acc->strict && mt_is_nullish (args[i]));
      if (args[i].type == MT_MISSING)
         args[i] = mt_v_null ();
   }
   if (!counts)
      return;
   if (s->acc->bare) {
      mt_bson_put (out, name, args[0]);
      return;
   }
   size_t array = mt_bson_array (out, name);
   for (int i = 0; i < s->argc; i++)
      mt_bson_put (out, mt_printf (a, "%d", i), args[i]);
   mt_bson_end (out, array);
}

/* Returns whether a stored aggregate state is valid, so that it can be combined with others. */
static bool is_state (MtArena *a, const MtCellState *s, MtVal stored)
{
   const MtAggState *rollup = s->rollup->state;
   MtError lost;
   MtEval ev = {.arena = a, .err = &lost, .user = rollup->user};
   return rollup->step (&ev, mt_alloc (a, rollup->size), &stored, 1);
}

static void put_value (MtBson *out, const char *name, MtVal v)
{
   if (!mt_is_nullish (v))
      mt_bson_put (out, name, v);
}

void mt_rollup_append (MtArena *a, const MtPreagg *kept, int side, const MtLeaf *leaf, MtBson *out)
{
   for (size_t i = 0; i < kept->state_count; i++) {
      const MtCellState *s = &kept->states[i];
      MtVal stored = side ? mt_path_get (leaf->cell, s->at) : mt_v_null ();
      if (!side)
         append_args (a, s, leaf, mt_compare_numbered (a, "t", 0, i), out);
      else if (mt_is_nullish (stored) || is_state (a, s, stored))
         put_value (out, mt_compare_numbered (a, "t", 1, i), stored);
   }
   for (size_t i = 0; i < kept->measure_count; i++)
      for (int which = 0; which < 2; which++) {
         const MtMeasureAgg *m = &kept->measures[i];
         Extreme e = extreme (m, which);
         if (e.at)
            put_value (out, mt_compare_numbered (a, e.name, side, i),
                       side ? mt_path_get (leaf->cell, e.at) : leaf->row[m->column]);
      }
}

/* ---- grouping ---- */

void mt_rollup_group (MtArena *a, const MtPreagg *kept, bson_t *group)
{
   for (int side = 0; side < 2; side++) {
      for (size_t i = 0; i < kept->state_count; i++) {
         const MtCellState *s = &kept->states[i];
         mt_compare_accumulate (a, group, mt_compare_numbered (a, "t", side, i),
                                side ? s->rollup->name : s->acc->name);
      }
      for (size_t i = 0; i < kept->measure_count; i++)
         for (int which = 0; which < 2; which++) {
            Extreme e = extreme (&kept->measures[i], which);
            if (e.at)
               mt_compare_accumulate (a, group, mt_compare_numbered (a, e.name, side, i), e.op);
         }
   }
}

/* ---- differences ---- */

/* Returns state i of a side from a group of the result. An accumulator gives it as {v: state}. */
static MtVal state_of (MtArena *a, MtVal group, int side, size_t i)
{
   const char *name = mt_compare_numbered (a, "t", side, i);
   MtVal v = mt_doc_field (group, name);
   return v.type == MT_DOC ? mt_doc_field (v, "v") : v;
}

void mt_rollup_compare (MtArena *a, const MtTable *t, const MtPreagg *kept, MtVal group,
                        const MtRollupFound *found)
{
   for (size_t i = 0; i < kept->state_count; i++) {
      const MtCellState *s = &kept->states[i];
      MtVal right = state_of (a, group, 0, i), other = state_of (a, group, 1, i);
      if (!mt_states_agree (s->acc->result, right, other))
         found->report (found->ctx, a,
                        &(MtDiffering) {group, mt_cell_state_text (a, t, s), other, right,
                                        mt_type (s->acc->result)});
   }
   for (size_t i = 0; i < kept->measure_count; i++)
      for (int which = 0; which < 2; which++) {
         const MtColumn *c = &t->columns[kept->measures[i].column];
         Extreme e = extreme (&kept->measures[i], which);
         const char *names[] = {mt_compare_numbered (a, e.name, 0, i),
                                mt_compare_numbered (a, e.name, 1, i)};
         MtVal right = mt_doc_field (group, names[0]), other = mt_doc_field (group, names[1]);
         bool same = mt_is_nullish (right) || mt_is_nullish (other)
                        ? mt_is_nullish (right) == mt_is_nullish (other)
                        : mt_v_compare (right, other) == 0;
         if (e.at && !same)
            found->report (found->ctx, a,
                           &(MtDiffering) {group, mt_printf (a, "%s(%s)", e.name, c->name), other,
                                           right, c->type});
      }
}
