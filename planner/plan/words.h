/* Replaces operators that a server lacks by expressions of MongoDB's own operators. */
#ifndef MT_WORDS_H
#define MT_WORDS_H

#include "engine/engine.h"
#include "engine/pipe.h"

/* Rewrites the operators of v that the server lacks and that have other words with the same values.
 * All other operators stay. v: stages, an expression or a condition. Returns a new value in arena
 * a, or v. */
MtVal mt_server_words (MtArena *a, const MtCaps *caps, MtVal v);

#endif
