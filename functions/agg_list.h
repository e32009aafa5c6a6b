/* Aggregates over arrays that $push collects, for servers. */
#ifndef MT_AGG_LIST_H
#define MT_AGG_LIST_H

#include "functions/agg.h"

/* Returns whether the aggregate reads an array of its values, of this type. Otherwise it needs
 * mtsql's own accumulator. continuous: it interpolates between values. */
bool mt_listed (const MtAggInput *in, MtTypeId type, bool continuous);

/* Returns an expression, in arena in->a, for percentile_cont or percentile_disc of a share of the
 * values in an array, which may have nulls. list: {"": expression}. */
const bson_t *mt_of_list (const MtAggInput *in, MtTypeId type, const bson_t *list, double share,
                          bool continuous);

#endif
