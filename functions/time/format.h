/* Templates of to_char, for other folders. */
#ifndef MT_FORMAT_H
#define MT_FORMAT_H

#include "base/arena.h"
#include "base/str.h"

/* Splits a template into *count parts, allocated in arena a: formats of MongoDB's $dateToString,
 * and NULL for each YYYY. Returns NULL if the template has other fields than YYYY, MM, DD, HH24,
 * MI, SS and MS. */
const char *const *mt_date_formats (MtArena *a, MtStr template, int *count);

#endif
