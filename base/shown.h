/* Text that a terminal shows as it is: without control characters, direction overrides, and
 * other characters that nobody sees. */
#ifndef MT_SHOWN_H
#define MT_SHOWN_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a terminal would obey the code point or show nothing of it. Tabs and line feeds are
 * such. */
bool mt_is_hidden (int32_t cp);
bool mt_has_hidden (const char *text);

/* These return text in arena a. */

/* For one line of a comment: hidden characters are \u001B. */
const char *mt_shown (MtArena *a, const char *text);
/* An SQL name (quote is ") or string constant ('), with its quotes. One with hidden characters
 * begins with U&. */
const char *mt_shown_sql (MtArena *a, char quote, const char *text);
/* JSON between $$ and $$. Escapes hidden characters but line feeds, and one of two dollar signs. */
const char *mt_shown_json (MtArena *a, const char *json);

#endif
