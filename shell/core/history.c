/* The history of the statements typed at the terminal. */
#include "shell/core/input.h"
#include "shell/core/report.h"
#include "shell/core/password.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HISTORY_DEFAULT = 500 };

static History *entries;

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

void mt_history_add (MtShell *sh, const char *text)
{
   HistEvent e;
   const char *control = mt_var_get (&sh->vars, "HISTCONTROL");
   bool spaces = control &&
                 (strcmp (control, "ignorespace") == 0 || strcmp (control, "ignoreboth") == 0);
   if (!*text || (spaces && *text == ' ') || strspn (text, " \t\n") == strlen (text))
      return;
   size_t n = strlen (text);
   while (n && strchr (" \t\n", text[n - 1]))
      n--;
   char *trimmed = mt_heap_strndup (text, n);
   text = trimmed;
   char *clean = mt_without_passwords (text);
   if (history (entries, &e, H_FIRST) != 0 || strcmp (e.str, clean) != 0)
      history (entries, &e, H_ENTER, clean);
   free (clean);
   free (trimmed);
}

/* Returns whether the history may be a regular file. HISTFILE may name a device, whose
 * permissions must not change. */
static bool is_ours (const char *path)
{
   struct stat st;
   return stat (path, &st) != 0 || S_ISREG (st.st_mode);
}

/* Opens the file so that only its owner can read it. Links are not followed, because they could
 * point to another user's file. */
static FILE *private_file (const char *path)
{
   int fd = open (path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
   struct stat st;
   if (fd < 0)
      return NULL;
   bool ok = fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && fchmod (fd, 0600) == 0 &&
             ftruncate (fd, 0) == 0;
   FILE *f = ok ? fdopen (fd, "w") : NULL;
   if (!f)
      close (fd);
   return f;
}

struct history *mt_history_open (MtShell *sh)
{
   HistEvent e;
   entries = history_init ();
   long size = mt_var_long (&sh->vars, "HISTSIZE", HISTORY_DEFAULT);
   history (entries, &e, H_SETSIZE, (int) size);
   char *path = history_path (sh);
   if (path && is_ours (path))
      history (entries, &e, H_LOAD, path);
   free (path);
   return entries;
}

void mt_history_save (MtShell *sh)
{
   HistEvent e;
   char *path = history_path (sh);
   if (path && is_ours (path)) {
      FILE *f = private_file (path);
      if (!f || history (entries, &e, H_SAVE_FP, f) < 0)
         mt_complain (sh, "could not save the history to \"%s\": %s", path,
                      errno == ELOOP ? "it is a symbolic link" : strerror (errno));
      if (f)
         fclose (f);
   }
   free (path);
}

bool mt_history_write (FILE *f)
{
   HistEvent e;
   if (!entries)
      return false;
   for (int rc = history (entries, &e, H_LAST); rc == 0; rc = history (entries, &e, H_PREV))
      fprintf (f, "%s\n", e.str);
   return true;
}

void mt_history_close (void)
{
   history_end (entries);
   entries = NULL;
}
