/* Simulates the generated parser on its state table (grammar_states.inc), without building a tree.
 * Used by expect.c. */
#ifndef MT_EXPECT_INT_H
#define MT_EXPECT_INT_H

#include "parser/expect.h"

/* The parser's stack, with states only. Initialize to zero. */
typedef struct MtStates {
   uint16_t *v;
   size_t n, cap;
} MtStates;

void mt_states_begin (MtStates *s);
void mt_states_free (MtStates *s);
void mt_states_copy (MtStates *to, const MtStates *from);
/* Feeds a token to the parser. Returns false if the grammar does not allow it. *name is set to
 * whether the token is a keyword that is used as a name. *before is set to whether the preceding
 * token turns out to be one. */
bool mt_states_feed (MtStates *s, int code, bool *name, bool *before);
/* Returns whether the grammar allows the token next. *name is set to whether it is a keyword that
 * would be used as a name. `work` is memory for the function. */
bool mt_states_accept (const MtStates *s, MtStates *work, int code, bool *name);
/* Returns what the token can denote if it comes next, as MtSqlPlace bits; 0: the grammar does not
 * allow it. */
unsigned mt_states_places (const MtStates *s, MtStates *work, int code);

#endif
