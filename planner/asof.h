/* ASOF joins: each row of the left side with the nearest row of the right one. */
#ifndef MT_ASOF_H
#define MT_ASOF_H

#include "planner/emit.h"
#include "planner/pipe.h"

/* What the condition of an ASOF join says: left[i] = right[i], and left_time OP right_time. */
typedef struct MtAsof {
   MtX **left, **right;
   int count;
   MtX *left_time, *right_time;
   bool forward;   /* OP is < or <=: the nearest is the next one, not the last */
   bool strict;    /* OP is < or > */
} MtAsof;

/* False: the condition says something else; *why is a hint. */
bool mt_asof_parts (MtArena *a, const MtJoin *j, MtAsof *out, const char **why);

/* Adds the fields that a side's rows are sorted by; then, behind the union of both sides, the stages that pair them. places: of the join's columns. */
bool mt_asof_mark (MtEmit *e, const MtAsof *s, bool right, MtPipe *pipe, MtError *err);
void mt_asof_pair (MtArena *a, const MtAsof *s, const MtRel *rel, const MtPlace *places, MtPipe *pipe);

#endif
