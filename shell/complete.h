/* Completion: finds the words that can stand at the cursor. */
#ifndef MT_SHELL_COMPLETE_H
#define MT_SHELL_COMPLETE_H

#include "shell/core/input.h"

/* Fills *out with the words that can complete the statement or backslash command at the cursor. A
 * callback of the line editor (MtEditorHelp.complete). */
void mt_complete (MtShell *sh, const char *text, size_t cursor, MtChoices *out);

#endif
