/* INTERSECT and EXCEPT: rows of the arms are grouped, and counted arm by arm. */
#ifndef MT_SETOP_H
#define MT_SETOP_H

#include "engine/pipe.h"
#include "query/query.h"

/* Ends the stages of an arm whose rows will be counted. */
void mt_setop_mark (MtPipe *pipe, int arm);

/* Grouping by whole rows c0, c1 …: _id into `group`, and what gives the columns back into
 * `project`. Equal intervals may be written in several ways: the first one stands for them. */
void mt_row_key (MtArena *a, const MtTargetX *targets, int count, bson_t *group, bson_t *project);

/* Over the marked rows of all arms: each row c0, c1 … as often as q->times says, in no order. */
void mt_setop_count (const MtQuery *q, MtPipe *pipe);

#endif
