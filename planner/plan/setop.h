/* Plans INTERSECT and EXCEPT: equal rows of all member queries are grouped, and counted for each
 * query. */
#ifndef MT_SETOP_H
#define MT_SETOP_H

#include "engine/pipe.h"
#include "query/query.h"

/* Appends a stage that marks each row as coming from member query number `arm`. */
void mt_setop_mark (MtPipe *pipe, int arm);

/* Writes to `group` an _id of the columns c0, c1 …, and to `project` the fields that restore the
 * columns. If equal values have several forms, as intervals do, the first one is kept. */
void mt_row_key (MtArena *a, const MtTargetX *targets, int count, bson_t *group, bson_t *project);

/* Appends the stages that count equal rows for each member query, and return each row as often as
 * q->times says. mt_setop_mark must have marked the rows. The result is not sorted. */
void mt_setop_count (const MtQuery *q, MtPipe *pipe);

#endif
