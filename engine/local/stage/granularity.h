/* Series of preferred numbers, to which $bucketAuto rounds its bounds. */
#ifndef MT_GRANULARITY_H
#define MT_GRANULARITY_H

#include "base/str.h"

typedef struct MtGranularity MtGranularity;

/* Returns the series with this name, such as "R5", "E24", "1-2-5" or "POWERSOF2"; NULL if there is
 * none. */
const MtGranularity *mt_granularity (MtStr name);
/* Returns the least number of the series that is greater than v, or 0 for 0. v is not negative. */
double mt_granularity_up (const MtGranularity *g, double v);
/* Returns the greatest number of the series that is less than v, or 0 for 0. v is not negative. */
double mt_granularity_down (const MtGranularity *g, double v);

#endif
