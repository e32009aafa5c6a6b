/* Functions that op_date.c and op_date_format.c share. */
#ifndef MT_OP_DATE_INT_H
#define MT_OP_DATE_INT_H

#include "engine/local/expr/op_int.h"

typedef enum DateUnit {
   D_MILLISECOND,
   D_SECOND,
   D_MINUTE,
   D_HOUR,
   D_DAY,
   D_WEEK,
   D_MONTH,
   D_QUARTER,
   D_YEAR
} DateUnit;

bool mt_op_zone (MtEval *ev, MtVal v, const MtZone **zone, bool *is_null);
/* returns the number of the week in the year of a local time; weeks begin on Sunday */
int64_t mt_op_week (int64_t local_ms);
int64_t mt_op_year_day (int64_t local_ms); /* number of the day in the year, counted from 1 */

bool mt_op_date_to_string (MT_OP_ARGS);
bool mt_op_date_from_string (MT_OP_ARGS);

#endif
