/* Layouts that keep only the newest record of each key (docs/lemma.md, section 4, rule 8). */
#ifndef MT_NEWEST_H
#define MT_NEWEST_H

#include "planner/cut/way.h"

/* Returns whether a layout that stores only the newest record of each key can answer the query.
 * False: *c->reason explains why it can't. */
bool mt_newest_answers (const MtWayCheck *c);

#endif
