/* The states of state_agg: which state something was in, from one time to the next. */
#ifndef MT_TIMELINE_H
#define MT_TIMELINE_H

#include "functions/timeseries/ranges.h"

/* Something has a state from `time` on. */
typedef struct MtStatePoint {
   int64_t time; /* milliseconds since 1970 */
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

#endif
