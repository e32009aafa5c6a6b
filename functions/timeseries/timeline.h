/* The states of state_agg and compact_state_agg: which value ("state") something had, from one time
 * to the next. */
#ifndef MT_TIMELINE_H
#define MT_TIMELINE_H

#include "functions/timeseries/ranges.h"

/* Something has a value from `time` on. In a stored compact_state_agg: how long it had the value in
 * all. */
typedef struct MtStatePoint {
   int64_t time; /* milliseconds since 1970; of a stored compact_state_agg: milliseconds */
   union {
      int64_t i;     /* MtTimeline.ints */
      const char *p; /* n bytes */
   } state;
   uint32_t n;
} MtStatePoint;

/* A stored state that is being merged: its range of points, sorted by time, and its first and last
 * time. */
typedef struct MtTimelinePart {
   size_t first, count;
   int64_t begin, end;
   size_t from, to; /* of compact_state_agg: which points have the first and the last state */
} MtTimelinePart;

struct MtRecent;

/* The points of rows, unsorted, or the points of stored states, with one part for each. A stored
 * state that was read has one part. Its points are sorted by time, and neighbours have different
 * values. */
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
/* Returns a point for a value of type text or bigint. The bytes are borrowed. */
MtStatePoint mt_state_point (int64_t time, MtVal state);
MtVal mt_state_of_point (bool ints, const MtStatePoint *p);

/* ---- gathering, for MtAggState ---- */

bool mt_timeline_step (MtEval *ev, void *state, const MtVal *args, int argc);
/* Merges two states. Fails with 22023 if the values of one are texts and those of the other
 * bigints. */
bool mt_timeline_merge (MtEval *ev, void *into, const void *from);
/* Save and load a state for a temporary file. Points are kept unsorted. */
bool mt_timeline_save (MtEval *ev, const void *state, MtVal *out);
bool mt_timeline_load (MtEval *ev, void *state, MtVal saved);
/* Adds a part to a state. Returns false without an error if memory is exhausted, which makes the
 * statement fail later. */
bool mt_timeline_add_part (MtEval *ev, MtTimeline *t, MtTimelinePart part);
/* Copies the points of rows to `points`, sorted by time. Fails with 22023 if two different values
 * have the same time. */
bool mt_timeline_sort_rows (MtEval *ev, const MtTimeline *t, MtStatePoint *points);
/* Returns the parts sorted by time, in an array allocated in ev->arena. Returns NULL with 22023 if
 * two parts overlap, or if memory is exhausted. */
const MtTimelinePart *mt_timeline_sort_parts (MtEval *ev, const MtTimeline *t);

/* Reads a stored state v of this kind, with room for one more point. `ints`: the function is for
 * values of type bigint, else text. Fails with 22023 if the state has the other type. */
bool mt_timeline_read (MtEval *ev, const MtStateKind *kind, MtVal v, bool ints, MtTimeline *t);
/* Fails with 22004, because the state argument of a function that interpolates is NULL. */
bool mt_timeline_refuse_null (MtEval *ev);
/* Checks that a period beginning at `start` does not overlap `prev`, the state of the preceding
 * period. Otherwise fails with 22023. */
bool mt_timeline_follows (MtEval *ev, MtVal start, const MtTimeline *prev);

/* ---- the rows of an aggregate ---- */

/* The row of an aggregate over points, whose result is a state of this kind. */
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
