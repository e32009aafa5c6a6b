/* Text for terminals, without control characters, direction overrides and other invisible
 * characters. */
#ifndef MT_SHOWN_H
#define MT_SHOWN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a terminal would obey the code point, or show nothing. True for tabs and line feeds. */
bool mt_is_hidden (int32_t cp);
bool mt_has_hidden (const char *text);

/* These return text in arena a. */

/* Text for one line of a comment. Hidden characters become escapes such as \u001B. */
const char *mt_shown (MtArena *a, const char *text);
/* An SQL name (quote is ") or string constant ('), with its quotes. Text with hidden characters is
 * written with U& and escapes. */
const char *mt_shown_sql (MtArena *a, char quote, const char *text);
/* JSON for a place between $$ and $$. Escapes hidden characters except line feeds, and one of two
 * dollar signs in a row. */
const char *mt_shown_json (MtArena *a, const char *json);

#endif
