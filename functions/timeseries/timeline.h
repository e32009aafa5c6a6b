/* The states of state_agg and compact_state_agg: which state something was in, from one time to the
 * next. */
#ifndef MT_TIMELINE_H
#define MT_TIMELINE_H

#include "functions/timeseries/ranges.h"

/* Something has a state from `time` on. Of a stored compact_state_agg: so long, all in all. */
typedef struct MtStatePoint {
   int64_t time; /* milliseconds since 1970; of a stored compact_state_agg: milliseconds */
   union {
      int64_t i;     /* MtTimeline.ints */
      const char *p; /* n bytes */
   } state;
   uint32_t n;
} MtStatePoint;

/* A stored state: some of the points of a timeline, in order, with its last time. */
typedef struct MtTimelinePart {
   size_t first, count;
   int64_t begin, end;
   size_t from, to; /* of compact_state_agg: which points have the first and the last state */
} MtTimelinePart;

struct MtRecent;

/* The points of rows, in any order, or of stored states. A stored state that was read is one part.
 * Its points are in the order of time, and two neighbours differ. */
typedef struct MtTimeline {
   MtStatePoint *points;
   size_t n, cap;
   MtTimelinePart *parts; /* of stored states; without parts: of rows */
   size_t part_count, part_cap;
   bool ints;               /* the states are bigint; false: text */
   struct MtRecent *recent; /* some texts of rows. NULL: none */
} MtTimeline;

extern const MtStateKind mt_timeline_kind;
extern const MtAgg mt_agg_timeline[];

static inline int64_t mt_timeline_end (const MtTimeline *t) { return t->parts[0].end; }
static inline bool mt_same_state (bool ints, const MtStatePoint *a, const MtStatePoint *b)
{
   return ints ? a->state.i == b->state.i
               : a->n == b->n && memcmp (a->state.p, b->state.p, a->n) == 0;
}
/* Makes a point of a value of text or bigint, with its bytes borrowed. */
MtStatePoint mt_state_point (int64_t time, MtVal state);
MtVal mt_state_of_point (bool ints, const MtStatePoint *p);

/* ---- gathering, for MtAggState ---- */

bool mt_timeline_step (MtEval *ev, void *state, const MtVal *args, int argc);
/* Fails with 22023 if the states of one are texts and those of the other bigints. */
bool mt_timeline_merge (MtEval *ev, void *into, const void *from);
/* The form in temporary files, which keeps points in any order. */
bool mt_timeline_save (MtEval *ev, const void *state, MtVal *out);
bool mt_timeline_load (MtEval *ev, void *state, MtVal saved);
/* Adds a part to what a stored state has. False, without an error: memory is exhausted, which is
 * recorded for the statement. */
bool mt_timeline_add_part (MtEval *ev, MtTimeline *t, MtTimelinePart part);
/* Copies the points of rows in the order of time. 22023 if a time has two states. */
bool mt_timeline_sort_rows (MtEval *ev, const MtTimeline *t, MtStatePoint *points);
/* Returns the parts in the order of time, in ev->arena. NULL: two parts overlap (22023), or memory
 * is exhausted. */
const MtTimelinePart *mt_timeline_sort_parts (MtEval *ev, const MtTimeline *t);

/* Reads a stored state of that kind, with room for one more point. ints: the type of states that
 * the function is for; 22023 if the state has others. */
bool mt_timeline_read (MtEval *ev, const MtStateKind *kind, MtVal v, bool ints, MtTimeline *t);
/* Fails with 22004: the argument `agg` of a function that interpolates is NULL. */
bool mt_timeline_refuse_null (MtEval *ev);
/* Checks that a period begins after the state `prev` of the period before: 22023. */
bool mt_timeline_follows (MtEval *ev, MtVal start, const MtTimeline *prev);

/* ---- the rows of an aggregate ---- */

/* The row of an aggregate of points, for a kind of states that it gives. */
#define MT_TIMELINE_AGG(kind_, name_, sig_, step_, doc_, example_) \
   { \
      .name = name_, .signature = sig_, .summary = doc_, .example = example_, \
      .state = &(const MtAggState) \
      { \
         .size = sizeof (MtTimeline), .step = step_, .merge = mt_timeline_merge, \
         .final = mt_summary_save, .save = mt_timeline_save, .load = mt_timeline_load, \
         .user = (void *) (uintptr_t) &(kind_) \
      } \
   }

#endif
