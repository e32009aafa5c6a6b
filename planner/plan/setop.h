/* INTERSECT and EXCEPT: groups the rows of all arms and counts them by arm. */
#ifndef MT_SETOP_H
#define MT_SETOP_H

#include "engine/pipe.h"
#include "query/query.h"

/* Ends the stages of an arm whose rows are counted. */
void mt_setop_mark (MtPipe *pipe, int arm);

/* Groups by whole rows c0, c1 …: writes _id into `group`, and the fields that give the columns
 * back into `project`. Equal intervals can be written in several ways; the first one represents
 * them. */
void mt_row_key (MtArena *a, const MtTargetX *targets, int count, bson_t *group, bson_t *project);

/* Counts the marked rows of all arms, and returns each row c0, c1 … as often as q->times says.
 * The result has no order. */
void mt_setop_count (const MtQuery *q, MtPipe *pipe);

#endif
