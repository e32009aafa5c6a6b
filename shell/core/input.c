/* Reads lines of files and of COPY's data, and keeps the state of \if. */
#include "shell/core/input.h"
#include "shell/core/report.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool mt_shell_active (const MtShell *sh)
{
   return sh->condition_count == 0 || sh->conditions[sh->condition_count - 1].active;
}

void mt_input_free (MtInput *src)
{
   mt_buf_free (&src->query);
   mt_buf_free (&src->input);
}

/* Reports a read error and stops all input, because a truncated input would look complete. Returns
 * false. */
static bool unreadable (MtShell *sh, int error)
{
   mt_complain (sh, "error: could not read the input: %s", strerror (error));
   sh->stop = true;
   return mt_fail (sh);
}

bool mt_input_read_line (MtShell *sh, FILE *f, MtBuf *line)
{
   char *p = NULL;
   size_t cap = 0;
   ssize_t n;
   do {
      clearerr (f);
      errno = 0;
      n = getline (&p, &cap, f);
   } while (n < 0 && errno == EINTR && !mt_interrupted);
   int error = n < 0 && !feof (f) && errno != EINTR ? errno : 0;
   mt_buf_clear (line);
   if (n > 0 && !mt_buf_add (line, p, (size_t) n))
      error = ENOMEM;
   free (p);
   return error ? unreadable (sh, error) : n > 0;
}

bool mt_input_data_line (MtShell *sh, MtBuf *line)
{
   MtInput *src = sh->source;
   if (src && src->terminal)
      return mt_editor_data_line (line);
   FILE *f = src && src->file ? src->file : stdin;
   if (src && src->file)
      src->line++;
   return mt_input_read_line (sh, f, line);
}
