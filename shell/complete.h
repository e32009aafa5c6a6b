/* Completion: the words that can stand at the cursor. */
#ifndef MT_SHELL_COMPLETE_H
#define MT_SHELL_COMPLETE_H

#include "shell/core/input.h"

/* An MtCompleter for statements and backslash commands. */
void mt_complete (MtShell *sh, const char *before, const char *line, MtChoices *out);

/* Returns the words that can follow the beginning of a statement, separated by spaces. $columns,
 * $settings and $tables stand for the names of columns, settings and tables. The text is in arena
 * a, or static. NULL: no words are known. */
const char *mt_words_behind (MtArena *a, const char *text);

#endif
