/* mtsql --listen: serves the server or store that the shell has opened to PostgreSQL's clients.
 * mtsql --user-add: adds a user who may connect. */
#include "shell/core/password.h"
#include "shell/core/report.h"
#include "shell/program.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void mt_run_listen (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   MtOpenOptions session = {.target = sh->target,
                            .password = sh->password,
                            .catalog = sh->open.catalog,
                            .read_only = sh->open.read_only};
   MtListen l = o->listen;
   l.session = &session;
   if (!mt_listen (&l, &err)) {
      mt_report_error (sh, &err, NULL, 0);
      sh->exit_code = mt_error_is (&err, MT_E_PARAMETER) ? MT_EXIT_USAGE : MT_EXIT_CONNECTION;
   }
}

/* Returns the password, which is typed twice at the terminal, or read from the first line of
 * standard input. NULL: the two differ, or there is none. Owned by the caller. */
static char *new_password (const MtShell *sh, const char *user)
{
   if (!sh->terminal_in) {
      char *line = NULL;
      size_t room = 0;
      if (getline (&line, &room, stdin) < 0) {
         free (line);
         return NULL;
      }
      line[strcspn (line, "\r\n")] = 0;
      return line;
   }
   char *first = mt_ask_password (user), *again = first ? mt_ask_password (user) : NULL;
   bool same = again && strcmp (first, again) == 0;
   if (again && !same)
      fputs ("mtsql: error: the passwords differ\n", stderr);
   mt_password_free (again);
   if (same)
      return first;
   mt_password_free (first);
   return NULL;
}

int mt_run_user_add (MtShell *sh, const MtOptions *o)
{
   MtError err = {0};
   char *password = new_password (sh, o->user_add);
   bool ok = password &&
             mt_user_add (o->listen.users, o->user_add, password, sh->open.read_only, &err);
   if (password && !ok)
      mt_report_error (sh, &err, NULL, 0);
   mt_password_free (password);
   return ok ? MT_EXIT_OK : MT_EXIT_USAGE;
}
