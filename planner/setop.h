/* INTERSECT and EXCEPT: rows of the arms are grouped, and counted arm by arm. */
#ifndef MT_SETOP_H
#define MT_SETOP_H

#include "planner/pipe.h"
#include "planner/query.h"

/* Ends the stages of an arm whose rows will be counted. */
void mt_setop_mark (MtPipe *pipe, int arm);

/* Over the marked rows of all arms: each row c0, c1 … as often as q->times says, in no order. */
void mt_setop_count (const MtQuery *q, MtPipe *pipe);

#endif
