/* Functions that match_parse.c and match_eval.c share. */
#ifndef MT_MATCH_INT_H
#define MT_MATCH_INT_H

#include "engine/local/expr/core.h"

/* Returns the function that tests one value by a condition of this kind with this constant. */
MtMatchTest mt_match_test_of (MtMatchKind kind, MtVal constant);

/* Parses the argument v of the operator `name`, such as $bitsAllSet. Returns NULL with c->err set.
 * The result is allocated in the arena of c. */
MtMatchBits *mt_match_bits (MtCompile *c, const char *name, MtVal v);
/* Tests the bits of one value, by m->bits. */
int mt_match_bits_test (const MtMatch *m, MtVal v, MtWork *w);

/* Builds a hash table of the constants m->set. */
void mt_match_index_set (MtArena *a, MtMatch *m);

#endif
