/* What match_parse.c and match_eval.c share. */
#ifndef MT_MATCH_INT_H
#define MT_MATCH_INT_H

#include "engine/local/exec_core.h"

/* The test of one value for a kind of leaf and its constant. */
typedef bool (*MtMatchTest) (const MtMatch *m, MtVal v);
MtMatchTest mt_match_test_of (MtMatchKind kind, MtVal constant);

/* A compiled pattern, released with the arena; NULL: 22023 with the place. */
void *mt_match_regex_new (MtArena *a, MtStr pattern, MtStr options, MtError *err);

/* Builds the hash index over m->set. */
void mt_match_index_set (MtArena *a, MtMatch *m);

#endif
