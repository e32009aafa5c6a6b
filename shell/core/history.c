/* Which statements typed at the terminal are kept in the history, and in which file. */
#include "shell/core/input.h"
#include "shell/core/report.h"
#include "shell/core/password.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HISTORY_DEFAULT = 500 };

static MtHistory entries;
static bool is_open;
/* the errno of the last attempt to save the history; 0: no error */
static int failed;

static char *history_path (const MtShell *sh)
{
   const char *set = mt_var_get (&sh->vars, "HISTFILE"), *env = getenv ("MTSQL_HISTORY"),
              *home = getenv ("HOME");
   if (sh->open.restricted)
      return NULL;
   if (set || env)
      return mt_heap_strdup (set ? set : env);
   MtBuf b = {0};
   if (home)
      mt_buf_printf (&b, "%s/.mtsql_history", home);
   return b.p;
}

/* Returns whether the file's permissions may be changed: it is a regular file, or does not exist
 * yet. HISTFILE may also name a device. */
static bool is_ours (const char *path)
{
   struct stat st;
   return stat (path, &st) != 0 || S_ISREG (st.st_mode);
}

static void save (const MtShell *sh)
{
   char *path = history_path (sh);
   failed = 0;
   if (path && is_ours (path) && !mt_history_append (&entries, path))
      failed = errno;
   free (path);
}

void mt_history_add (MtShell *sh, const char *text)
{
   const char *control = mt_var_get (&sh->vars, "HISTCONTROL");
   bool spaces = control &&
                 (strcmp (control, "ignorespace") == 0 || strcmp (control, "ignoreboth") == 0);
   size_t n = strlen (text);
   while (n && strchr (" \t\n", text[n - 1]))
      n--;
   if (!n || (spaces && *text == ' '))
      return;
   char *trimmed = mt_heap_strndup (text, n), *clean = mt_without_passwords (trimmed);
   if (!entries.n || strcmp (entries.v[entries.n - 1].text, clean) != 0) {
      mt_history_put (&entries, clean, time (NULL));
      save (sh);
   }
   free (clean);
   free (trimmed);
}

const MtHistory *mt_history_open (MtShell *sh)
{
   long size = mt_var_long (&sh->vars, "HISTSIZE", HISTORY_DEFAULT);
   entries = (MtHistory) {.limit = size > 0 ? (size_t) size : 0};
   is_open = true;
   char *path = history_path (sh);
   FILE *f = path && is_ours (path) ? fopen (path, "re") : NULL;
   if (f) {
      mt_history_read (&entries, f);
      fclose (f);
   }
   free (path);
   return &entries;
}

bool mt_history_write (FILE *f)
{
   for (size_t i = 0; i < entries.n; i++)
      fprintf (f, "%s\n", entries.v[i].text);
   return is_open;
}

void mt_history_close (MtShell *sh)
{
   char *path = history_path (sh);
   if (failed)
      mt_complain (sh, "could not save the history to \"%s\": %s", path ? path : "",
                   failed == ELOOP ? "it is a symbolic link" : strerror (failed));
   free (path);
   mt_history_free (&entries);
   is_open = false;
   failed = 0;
}
