/* Rewrites operators that a server lacks with operators that it has. */
#ifndef MT_WORDS_H
#define MT_WORDS_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Rewrites those operators of v that the server lacks, if operators that it has can give the same
 * values; others stay as they are. v: stages, an expression or a condition. Returns a new value in
 * arena a, or v itself. */
MtVal mt_server_words (MtArena *a, const MtCaps *caps, MtVal v);

#endif
