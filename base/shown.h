/* Makes texts safe for terminals: without control characters, direction overrides and other
 * invisible characters. */
#ifndef MT_SHOWN_H
#define MT_SHOWN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Returns whether a terminal would execute the code point as a command, or show nothing for it.
 * Also true for tabs and line feeds. */
bool mt_is_hidden (int32_t cp);
bool mt_has_hidden (const char *text);

/* The functions below return text in arena a. */

/* Returns the text for one line of a comment. Hidden characters (mt_is_hidden) become escapes such
 * as \u001B. */
const char *mt_shown (MtArena *a, const char *text);
/* Returns the text as an SQL name (quote is ") or string constant (quote is '), including the
 * quotes. If the text has hidden characters, it is written as U&"…" or U&'…' with escapes. */
const char *mt_shown_sql (MtArena *a, char quote, const char *text);
/* Returns JSON text for use between $$ and $$ in SQL. Escapes hidden characters except line feeds.
 * Of two dollar signs in a row, escapes one. */
const char *mt_shown_json (MtArena *a, const char *json);

#endif
