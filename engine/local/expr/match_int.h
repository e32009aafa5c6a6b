/* Helpers of match_parse.c and match_eval.c. */
#ifndef MT_MATCH_INT_H
#define MT_MATCH_INT_H

#include "engine/local/expr/core.h"

/* Returns the test of one value for a kind of leaf and its constant. */
MtMatchTest mt_match_test_of (MtMatchKind kind, MtVal constant);

/* Builds the hash index over m->set. */
void mt_match_index_set (MtArena *a, MtMatch *m);

#endif
