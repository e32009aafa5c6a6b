/* Reads the file of a dashboard again, with a changed variable, while the dashboard is shown on the
 * terminal. */
#include "shell/dashboard/dashboard_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A redirection of standard output and standard error to a temporary file, because messages of the
 * file would spoil the screen. */
typedef struct Caught {
   FILE *file;
   int out, err; /* copies of the descriptors */
} Caught;

static void begin (Caught *c)
{
   fflush (stdout);
   fflush (stderr);
   *c = (Caught) {.file = tmpfile (), .out = dup (STDOUT_FILENO), .err = dup (STDERR_FILENO)};
   if (c->file && c->out >= 0 && c->err >= 0) {
      dup2 (fileno (c->file), STDOUT_FILENO);
      dup2 (fileno (c->file), STDERR_FILENO);
   }
}

/* Makes `descriptor` refer again to what `copy` refers to, and closes `copy`. */
static void restore (int copy, int descriptor)
{
   if (copy < 0)
      return;
   dup2 (copy, descriptor);
   close (copy);
}

/* Ends the redirection. Returns the first line of output that is a message, without the program's
 * name and the file's folder; NULL: there is none. Owned by the caller (free). */
static char *end (Caught *c, const char *name)
{
   char line[512], *found = NULL;
   fflush (stdout);
   fflush (stderr);
   restore (c->out, STDOUT_FILENO);
   restore (c->err, STDERR_FILENO);
   if (!c->file)
      return NULL;
   rewind (c->file);
   while (!found && fgets (line, sizeof line, c->file)) {
      line[strcspn (line, "\n")] = 0;
      const char *text = line + strlen ("mtsql:"), *slash = strrchr (name, '/');
      if (strncmp (line, "mtsql:", 6) != 0)
         continue;
      if (slash && strncmp (text, name, (size_t) (slash - name)) == 0)
         text += slash - name + 1;
      found = mt_heap_strdup (text + strspn (text, " "));
   }
   fclose (c->file);
   return found;
}

bool mt_board_again (MtShell *sh, const MtBoardFile *file, const char *name, const char *value,
                     MtBoard *out, char **why)
{
   Caught caught;
   const char *old = mt_var_get (&sh->vars, name);
   char *kept = old ? mt_heap_strdup (old) : NULL, *variable = mt_heap_strdup (name);
   bool failed = sh->failed;
   begin (&caught);
   mt_var_set (&sh->vars, name, value);
   bool ok = file->read (sh, file->name, out);
   *why = end (&caught, file->name);
   if (ok) {
      free (*why);
      *why = NULL;
   } else {
      mt_board_free (out);
      if (kept)
         mt_var_set (&sh->vars, variable, kept);
      if (!*why)
         *why = mt_heap_strdup ("The file can't be read again");
   }
   mt_signals_running (true); /* Ctrl-C may have ended the file, but not the dashboard */
   sh->failed = failed;
   sh->stop = sh->quit = false;
   sh->exit_code = -1;
   free (kept);
   free (variable);
   return ok;
}
