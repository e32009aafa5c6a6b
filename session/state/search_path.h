/* The text of search_path: a list of names, each in quotes or not. */
#ifndef MT_SEARCH_PATH_H
#define MT_SEARCH_PATH_H

#include "session/state/session.h"

/* Reads the next name of a list such as `"$user", public`. NULL: the list ends, or is malformed
 * (then *at is not at its end). Unquoted names become lower case. */
const char *mt_next_schema (MtArena *a, const char **at);
/* Checks such a list; 22023, 0A000. */
bool mt_check_search_path (const char *text, MtError *err);

#endif
