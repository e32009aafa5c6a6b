/* The line below the text that is being typed. */
#ifndef MT_SHELL_HINT_H
#define MT_SHELL_HINT_H

#include "shell/core/shell.h"

/* Adds the signature and the summary of the function whose arguments are typed at the cursor. Adds
 * nothing if there is none. */
void mt_hint (MtShell *sh, const char *text, size_t cursor, MtBuf *out);

#endif
