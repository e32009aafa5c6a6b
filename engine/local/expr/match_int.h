/* Functions that match_parse.c and match_eval.c share. */
#ifndef MT_MATCH_INT_H
#define MT_MATCH_INT_H

#include "engine/local/expr/core.h"

/* Returns the function that tests a value by a condition of this kind with the constant
 * `constant`. */
MtMatchTest mt_match_test_of (MtMatchKind kind, MtVal constant);

/* Parses the argument v of $bitsAllSet or a similar operator `name`. The result is in the arena of
 * c. Returns NULL with c->err set on failure. */
MtMatchBits *mt_match_bits (MtCompile *c, const char *name, MtVal v);
/* Tests the bits of value v by m->bits. Returns 1 or 0. */
int mt_match_bits_test (const MtMatch *m, MtVal v, MtWork *w);

/* Builds a hash table of m->set, the constants of $in. */
void mt_match_index_set (MtArena *a, MtMatch *m);

#endif
