/* Parses the text of the setting search_path: a list of names, with or without quotes. */
#ifndef MT_SEARCH_PATH_H
#define MT_SEARCH_PATH_H

#include "session/state/session.h"

/* Returns the next name of a list such as `"$user", public`, in arena a, and advances *at. NULL:
 * the list ends, or is malformed (then **at is not NUL). Names without quotes become lower case. */
const char *mt_next_schema (MtArena *a, const char **at);
/* Checks a list of schema names. Errors: 22023 a malformed list, 0A000. */
bool mt_check_search_path (const char *text, MtError *err);

#endif
