/* Completion: what could stand at the end of the text before the cursor. */
#ifndef MT_SHELL_COMPLETE_H
#define MT_SHELL_COMPLETE_H

#include "shell/commands/command.h"

typedef struct MtChoices {
   MtArena *arena;
   const char **v; /* sorted, each once; text that replaces the word */
   size_t n, cap;
   size_t start; /* where the word begins in the line */
} MtChoices;

/* `before` is the statement's earlier lines, `line` the one being typed up to the cursor. */
void mt_complete (MtShell *sh, const char *before, const char *line, MtChoices *out);
void mt_choices_free (MtChoices *c);
/* The longest beginning that all choices share. */
size_t mt_choices_common (const MtChoices *c);

/* The words that follow a statement's beginning, with spaces between, among them $columns,
 * $settings and $tables for what there is of these; NULL: too many to say. complete_words.c. */
const char *mt_words_behind (MtArena *a, const char *text);

#endif
