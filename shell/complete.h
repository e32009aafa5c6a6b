/* Completion: the words that can stand at the cursor. */
#ifndef MT_SHELL_COMPLETE_H
#define MT_SHELL_COMPLETE_H

#include "shell/core/input.h"

/* Completes statements and backslash commands (MtEditorHelp.complete). */
void mt_complete (MtShell *sh, const char *text, size_t cursor, MtChoices *out);

#endif
