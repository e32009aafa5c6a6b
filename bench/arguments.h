/* What the programs of this folder are told on the command line. */
#ifndef MT_BENCH_ARGUMENTS_H
#define MT_BENCH_ARGUMENTS_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

/* A store would be made of it: an option in a target's place isn't one. */
static inline bool mt_is_target (const char *text) { return *text && *text != '-'; }

/* *to: the whole number, at least `least`. False: the text is none. */
static inline bool mt_whole_number (const char *text, long least, long *to)
{
   char *end;
   errno = 0;
   *to = strtol (text, &end, 10);
   return *text && !*end && !errno && *to >= least;
}

static inline bool mt_seconds (const char *text, double *to)
{
   char *end;
   *to = strtod (text, &end);
   return *text && !*end && *to > 0 && *to <= 1e9;
}

#endif
