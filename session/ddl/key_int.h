/* Shared by key.c, key_add.c and key_terms.c. */
#ifndef MT_SESSION_KEY_INT_H
#define MT_SESSION_KEY_INT_H

#include "session/ddl/key.h"

/* Sets k->terms, the condition of a partial unique index as comparisons that a server's index can
 * have, from the bound condition x. Leaves it NULL if some part has no such form. */
void mt_key_read_terms (MtArena *a, const MtX *x, MtTableKey *k);
/* Makes key *k from definition d, without a name. A PRIMARY KEY makes its columns NOT NULL. */
bool mt_make_key (MtStatement *st, MtTable *t, const MtKeyDef *d, MtTableKey *k, MtError *err);
/* Sets the name of key k to the given one; given->text NULL: generates a name. Errors: 42710, 42P07
 * the name is taken. */
bool mt_name_key (MtStatement *st, const MtTable *t, const MtName *given, MtTableKey *k,
                  MtError *err);

#endif
