/* Layouts that keep only the newest record of each key (docs/lemma.md, section 4, rule 8). */
#ifndef MT_NEWEST_H
#define MT_NEWEST_H

#include "planner/cut/way.h"

/* For a layout that keeps only the newest record of each key: returns whether it can answer the
 * query. If not, *c->reason states why. */
bool mt_newest_answers (const MtWayCheck *c);

#endif
