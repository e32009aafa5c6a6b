/* Completion: the words that can stand at the cursor. */
#ifndef MT_SHELL_COMPLETE_H
#define MT_SHELL_COMPLETE_H

#include "shell/core/input.h"

/* An MtCompleter for statements and backslash commands. */
void mt_complete (MtShell *sh, const char *before, const char *line, MtChoices *out);

/* complete_words.c: the words that can follow the beginning of a statement, with a space between.
 * $columns, $settings and $tables stand for the names of those. In arena a, or static; NULL: not
 * known. */
const char *mt_words_behind (MtArena *a, const char *text);

#endif
