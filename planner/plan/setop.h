/* INTERSECT and EXCEPT: groups equal rows of all member queries and counts them for each query. */
#ifndef MT_SETOP_H
#define MT_SETOP_H

#include "engine/pipe.h"
#include "query/query.h"

/* Appends a stage that tags each row with the number `arm` of the member query it comes from. */
void mt_setop_mark (MtPipe *pipe, int arm);

/* Writes to `group` an _id of all columns c0, c1 …, and to `project` the fields that restore the
 * columns. Of equal intervals in different forms, the first form is kept. */
void mt_row_key (MtArena *a, const MtTargetX *targets, int count, bson_t *group, bson_t *project);

/* Appends the stages that count equal rows for each member query, and return each row q->times
 * times. The rows were tagged by mt_setop_mark. The result has no order. */
void mt_setop_count (const MtQuery *q, MtPipe *pipe);

#endif
