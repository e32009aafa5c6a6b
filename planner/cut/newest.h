/* When a layout that keeps the newest record of each key can answer (docs/lemma.md, section 4,
 * rule 8). */
#ifndef MT_NEWEST_H
#define MT_NEWEST_H

#include "planner/cut/way.h"

/* False: *c->reason says why not. */
bool mt_newest_answers (const MtWayCheck *c);

#endif
