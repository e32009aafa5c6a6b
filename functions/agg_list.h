/* Percentiles of arrays that MongoDB's $push gathers, for servers. */
#ifndef MT_AGG_LIST_H
#define MT_AGG_LIST_H

#include "functions/agg.h"

/* Returns whether the percentile can be computed from an array of its values, which have this type;
 * otherwise it needs mtsql's own accumulator. `continuous`: it interpolates between values. */
bool mt_listed (const MtAggInput *in, MtTypeId type, bool continuous);
/* Returns whether all fractions in the array, and in arrays of it, are null or from 0 to 1. */
bool mt_fractions_valid (MtVal fractions);

/* Returns an expression, in arena in->a, for percentile_cont or percentile_disc of the values in an
 * array, which may have nulls. list: {"": expression}. fractions: a valid fraction, or an array
 * whose results are an array. */
const bson_t *mt_of_list (const MtAggInput *in, MtTypeId type, const bson_t *list, MtVal fractions,
                          bool continuous);

#endif
