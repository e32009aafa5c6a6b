/* Templates of to_char, for use outside functions/time. */
#ifndef MT_FORMAT_H
#define MT_FORMAT_H

#include "base/arena.h"
#include "base/str.h"

/* Returns the parts of a template, in arena a: formats of MongoDB's $dateToString, and NULL for the
 * year. NULL: the template has other fields than YYYY, MM, DD, HH24, MI, SS and MS. */
const char *const *mt_date_formats (MtArena *a, MtStr template, int *count);

#endif
