/* Shared by key.c, key_add.c and key_terms.c. */
#ifndef MT_SESSION_KEY_INT_H
#define MT_SESSION_KEY_INT_H

#include "session/ddl/key.h"

/* Sets the terms of a partial index from its bound condition. Leaves them NULL if a server's index
 * can't have the condition. */
void mt_key_read_terms (MtArena *a, const MtX *x, MtTableKey *k);
/* Makes a key of its definition, without a name. A PRIMARY KEY makes its columns NOT NULL. */
bool mt_make_key (MtStatement *st, MtTable *t, const MtKeyDef *d, MtTableKey *k, MtError *err);
/* Names a key. given.text NULL: makes a name. Errors: 42710, 42P07 the name is taken. */
bool mt_name_key (MtStatement *st, const MtTable *t, const MtName *given, MtTableKey *k,
                  MtError *err);

#endif
