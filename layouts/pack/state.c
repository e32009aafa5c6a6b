/* The aggregate states that levels store (layouts/cell_state.h), while documents are built.
 *
 * A record is added to the states of its leaf; if the leaf does not keep a state, to the same state
 * of the nearest level above. When a cell is finished, its states are merged into those of the
 * nearest upper level that keeps them. If several nested levels have the same state, only the first
 * feeds the levels above. */
#include "layouts/pack/build_int.h"

#include "base/memory.h"

/* ---- which state is merged into which ---- */

static MtStateW *kept_by (MtNodeW *nw, const MtCellState *s)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++)
      if (mt_cell_state_same (nw->states[i].s, s))
         return &nw->states[i];
   return NULL;
}

/* Returns state s of the nearest nesting level above n that keeps it, if n's branch is the first
 * one there; NULL: there is none. */
static MtStateW *fed_through (MtBuilder *b, const MtNode *n, const MtCellState *s)
{
   for (; n->parent && n->parent->subs[0] == n; n = n->parent) {
      MtStateW *found = kept_by (b->nodes[n->parent->id], s);
      if (found)
         return found;
   }
   return NULL;
}

void mt_kept_states_new (MtBuilder *b, MtNodeW *nw)
{
   const MtPreagg *agg = &nw->n->agg;
   MtArena *a = b->x.a;
   nw->states = MT_NEW_N (a, MtStateW, agg->state_count);
   if (agg->state_count)
      nw->state_arena = mt_arena_new ("states", NULL);
   for (size_t i = 0; i < agg->state_count; i++)
      nw->states[i] = (MtStateW) {.s = &agg->states[i],
                                  .arena = nw->state_arena,
                                  .joins = mt_cell_state_joins (b->x.l, &agg->states[i]),
                                  .level = nw};
}

void mt_kept_states_link (MtBuilder *b, MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++)
      nw->states[i].above = fed_through (b, nw->n, nw->states[i].s);
}

/* Returns the index of a column in w->pay, the columns that records have besides their key. It
 * includes all arguments of states. */
static int place_of (const MtWriteWay *w, int column)
{
   int i = 0;
   while (i < w->pay_count && w->pay[i] != column)
      i++;
   return i;
}

static void add_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w, MtStateW *to)
{
   MtArena *a = b->x.a;
   for (size_t i = 0; i < leaf->feed_count; i++)
      if (leaf->feeds[i].to == to)
         return;
   MT_GROW_IN (a, leaf->feeds, leaf->feed_count, leaf->feed_cap, 4);
   MtStateFeed *f = &leaf->feeds[leaf->feed_count++];
   *f = (MtStateFeed) {.to = to, .from = MT_NEW_N (a, int, to->s->argc + 1)};
   for (int i = 0; i < to->s->argc; i++)
      f->from[i] = to->s->args[i].column >= 0 ? place_of (w, to->s->args[i].column) : 0;
}

void mt_kept_states_feed (MtBuilder *b, MtNodeW *leaf, const MtWriteWay *w)
{
   leaf->feed_count = 0;
   for (size_t i = 0; i < b->x.store->node_count; i++) {
      const MtPreagg *agg = &b->x.store->nodes[i]->agg;
      for (size_t k = 0; k < agg->state_count; k++) {
         MtStateW *own = kept_by (leaf, &agg->states[k]),
                  *to = own ? own : fed_through (b, leaf->n, &agg->states[k]);
         if (to)
            add_feed (b, leaf, w, to);
      }
   }
}

void mt_kept_states_free (MtNodeW *nw) { mt_arena_free (nw->state_arena); }

/* ---- the states of a cell ---- */

static MtEval eval_of (MtBuilder *b, const MtStateW *s)
{
   return (MtEval) {
      .arena = s->arena, .err = b->err, .user = s->s->acc->state->user, .cancel = b->x.cancel};
}

static void keep_cell_key (MtNodeW *leaf)
{
   int count = leaf->stream->way->key_count;
   leaf->cell_key = MT_NEW_N (leaf->state_arena, MtVal, count + 1);
   for (int i = 0; i < count; i++)
      leaf->cell_key[i] = mt_v_copy (leaf->state_arena, leaf->stream->key[i]);
}

void mt_kept_states_open (MtBuilder *b, MtNodeW *nw)
{
   bool joins = false;
   if (!nw->state_arena)
      return;
   mt_arena_reset (nw->state_arena);
   for (size_t i = 0; i < nw->n->agg.state_count; i++) {
      MtStateW *s = &nw->states[i];
      s->memory = mt_alloc (nw->state_arena, s->s->acc->state->size);
      s->stored = mt_v_missing ();
      s->stored_count = 0;
      joins = joins || s->joins;
   }
   if (joins && !nw->kid_count && b->to->lookup)
      keep_cell_key (nw);
}

static bool roll_up (MtBuilder *b, const MtStateW *to, MtVal state)
{
   MtEval ev = eval_of (b, to);
   return mt_is_nullish (state) || to->s->rollup->state->step (&ev, to->memory, &state, 1);
}

/* Merges the states of stored cell `cell` into those of the current cell (array or map element) of
 * the leaf. */
static bool add_stored (MtBuilder *b, MtNodeW *leaf, MtVal cell)
{
   for (size_t i = 0; i < leaf->n->agg.state_count; i++) {
      MtStateW *to = &leaf->states[i];
      MtVal stored = mt_path_get (cell, to->s->at);
      if (to->joins && !mt_is_nullish (stored)) {
         to->stored = stored;
         to->stored_count++;
      } else if (!roll_up (b, to, stored))
         return false;
   }
   return true;
}

bool mt_kept_states_add (MtBuilder *b, MtNodeW *leaf)
{
   const MtStream *s = leaf->stream;
   MtVal args[MT_STATE_ARGS];
   if (s->extra && s->extra->nonnull)
      return add_stored (b, leaf, s->extra->cell);
   for (size_t i = 0; i < leaf->feed_count; i++) {
      const MtStateFeed *f = &leaf->feeds[i];
      const MtCellState *kept = f->to->s;
      MtEval ev = eval_of (b, f->to);
      for (int k = 0; k < kept->argc; k++)
         args[k] = mt_cell_state_arg (&kept->args[k],
                                      kept->args[k].column < 0 ? mt_v_null () : s->pay[f->from[k]]);
      if (!mt_state_add_row (&ev, kept->acc, f->to->memory, args, f->to->arena))
         return false;
   }
   return !leaf->feed_count || mt_memory_check (b->err);
}

bool mt_kept_states_fold (MtBuilder *b, const MtNodeW *nw)
{
   for (size_t i = 0; i < nw->n->agg.state_count; i++) {
      MtStateW *from = &nw->states[i], *to = from->above;
      MtEval ev = to ? eval_of (b, to) : (MtEval) {0};
      MtVal whole;
      if (!to)
         continue;
      if (!(to->joins ? mt_kept_states_value (b, from, &whole) && roll_up (b, to, whole)
                      : to->s->acc->state->merge (&ev, to->memory, from->memory)))
         return false;
   }
   return true;
}

/* Sets *out to the stored form of the state in memory; null: no record was added. */
static bool finish (MtBuilder *b, const MtStateW *s, MtVal *out)
{
   MtEval ev = eval_of (b, s);
   *out = mt_v_null ();
   if (!s->s->acc->state->final (&ev, s->memory, out))
      return false;
   if (mt_is_nullish (*out))
      *out = mt_v_null ();
   return mt_memory_check (b->err);
}

/* Joins the cell's stored state with `fresh`, the state of its new records, into *out. If their
 * times overlap, they can't be joined: marks the cell (array or map element) as late. */
static bool join_stored (MtBuilder *b, const MtStateW *s, MtVal fresh, MtVal *out)
{
   const MtAggState *rollup = s->s->rollup->state;
   MtTypeId type = s->s->acc->result;
   int64_t first, last, stored_first, stored_last;
   if (!mt_sequence_span (type, fresh, &first, &last))
      return mt_error (b->err, MT_E_INTERNAL, "a state has no time");
   if (s->stored_count > 1 || !mt_sequence_span (type, s->stored, &stored_first, &stored_last) ||
       (first <= stored_last && stored_first <= last)) {
      mt_late_add (b, s->level, first);
      return true;
   }
   MtEval ev = eval_of (b, s);
   void *both = mt_alloc (s->arena, rollup->size);
   return rollup->step (&ev, both, &s->stored, 1) && rollup->step (&ev, both, &fresh, 1) &&
          rollup->final (&ev, both, out);
}

bool mt_kept_states_value (MtBuilder *b, MtStateW *s, MtVal *out)
{
   bool read = false;
   if (!s->stored_count)
      return finish (b, s, out);
   if (!mt_late_state (b, s, &read, out))
      return false;
   if (read)
      return mt_memory_check (b->err);
   if (!finish (b, s, out))
      return false;
   if (!mt_is_nullish (*out))
      return join_stored (b, s, *out, out) && mt_memory_check (b->err);
   *out = s->stored;
   return true;
}
