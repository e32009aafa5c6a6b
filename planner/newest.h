/* When a layout that keeps the newest record of each key may answer (docs/lemma.md, section 4, rule 8). */
#ifndef MT_NEWEST_H
#define MT_NEWEST_H

#include "planner/way.h"

/* *reason (in arena a) says why not. */
bool mt_newest_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges, const char **reason);

#endif
