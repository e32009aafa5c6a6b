/* The states of the generated parser (grammar_states.inc), for expect.c. */
#ifndef MT_EXPECT_INT_H
#define MT_EXPECT_INT_H

#include "parser/expect.h"

/* The parser's stack: states only. Zero-initialise it. */
typedef struct MtStates {
   uint16_t *v;
   size_t n, cap;
} MtStates;

void mt_states_begin (MtStates *s);
void mt_states_free (MtStates *s);
void mt_states_copy (MtStates *to, const MtStates *from);
/* Shifts a token. *name: it is a keyword that is used as a name. *before: so is the token before
 * it, which only this token shows. Returns false if the token can't follow. */
bool mt_states_feed (MtStates *s, int code, bool *name, bool *before);
/* Returns whether the token can follow. `work` is memory for the function. */
bool mt_states_accept (const MtStates *s, MtStates *work, int code, bool *name);
/* Returns the MtSqlPlace bits of the state in which the token would be shifted; 0: it can't follow. */
unsigned mt_states_places (const MtStates *s, MtStates *work, int code);

#endif
