/* The help line below the text that is being typed. */
#ifndef MT_SHELL_HINT_H
#define MT_SHELL_HINT_H

#include "shell/core/shell.h"

/* If the arguments of a function are being typed at the cursor, appends its signature and
 * summary. */
void mt_hint (MtShell *sh, const char *text, size_t cursor, MtBuf *out);

#endif
